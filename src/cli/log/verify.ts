import { type LogVerification, type RunVerification, verifyLog } from '@alas-jssp/workflow';
import { Command } from 'commander';
import { columnsOf } from '../../report/columns.js';
import { counted, whole } from '../../report/format.js';
import { type OutputOptions, withOutput } from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { chooseRun, withLog } from './runs.js';

/** Problems shown for people. */
const SHOWN = 20;

interface Options extends OutputOptions {
  run?: string;
  head?: string;
}

/** `alas-jssp log verify`: recomputes the hash chain of a log. */
export function logVerifyCommand(session: Session): Command {
  return withOutput(session, new Command('verify'))
    .description('recompute the hash chain and report changes')
    .argument('<file>', 'a log, or an export of one')
    .option('--run <id>', 'run to verify (default: all); needed for --head if there are several')
    .option('--head <hash>', 'hash of an entry that the log must contain')
    .addHelpText(
      'after',
      `
Exit code 0 if the log is unchanged, 1 if not.

Examples:
  $ alas-jssp log verify run.db
  $ alas-jssp log verify run.db --head 5e1f0c77`,
    )
    .action(async (file: string, options: Options) => {
      session.exitCode = await withLog(file, async (log) => {
        const { run, head } = options;
        // The runs of a damaged log may be unreadable; the verification reports that.
        const runId = run ?? (head === undefined ? undefined : chooseRun(log, file, run));
        const found = verifyLog(log, { runId, head });
        await report(session, file, found, options);
        return found.valid ? exitCode.done : exitCode.no;
      });
    });
}

async function report(
  session: Session,
  file: string,
  found: LogVerification,
  options: Options,
): Promise<void> {
  const { format } = options;
  const messages = messagesOf(found);
  const verdict = verdictOf(file, found);
  if (format === 'table') {
    const more = messages.length - SHOWN;
    await print(
      session,
      [
        verdict,
        ...messages.slice(0, SHOWN).map((message) => `  ${message}`),
        ...(more > 0 ? [`  and ${more} more; --format json lists all`] : []),
        ...found.runs.map(({ runId, head }) => `${runId}: head ${head}`),
      ].join('\n'),
    );
    return;
  }
  const data = { schema: 'alas-jssp/log-verification@1', log: file, ...found };
  await printRows(session, format, columns, found.runs, data);
  if (format !== 'json') for (const message of messages) remark(session, message);
  remarkVerdict(session, options.format, verdict);
}

function messagesOf({ faults, runs }: LogVerification): string[] {
  return [...faults, ...runs.flatMap(({ problems }) => problems.map(({ message }) => message))];
}

function verdictOf(file: string, found: LogVerification): string {
  const entries = found.runs.reduce((sum, run) => sum + run.entries, 0);
  const size = `${counted(found.runs.length, 'run')}, ${entries} entries`;
  if (found.valid) return `${file}: unchanged, ${size}`;
  return `${file}: damaged or changed, ${counted(messagesOf(found).length, 'problem')} in ${size}`;
}

const column = columnsOf<RunVerification>();
const columns = [
  column('runId', { key: 'run' }),
  column('entries', whole),
  column('ended'),
  column('head'),
  column.of('problems', ({ problems }) => problems.map(({ message }) => message).join('; ')),
];
