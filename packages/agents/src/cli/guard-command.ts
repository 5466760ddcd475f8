import { Readable, type Writable } from 'node:stream';
import { replaceFile } from '@alas-jssp/core/replace-file';
import {
  Command,
  columnsOf,
  exitCode,
  gather,
  type OutputOptions,
  onInterruption,
  outputFile,
  print,
  printRows,
  remark,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import type { Guard } from '../guard/guard.js';
import type { GuardPolicy } from '../guard/policy.js';
import { type GuardReport, isClean, type ReportedCall, reportJson } from '../guard/report.js';
import { type GuardSettings, guardSettings } from './guard-settings.js';

interface Options extends GuardSettings, OutputOptions {
  recover?: string;
  session?: string[];
  printPolicy?: boolean;
  log: string;
  report?: string;
}

const HELP = `
The client of an agent starts this command in place of its MCP servers. What
their tools change is kept only after guard_commit; guard_abort, a failed
validator, a client that goes and a crash take it back, last first. Calls that
cannot be taken back wait for people of the policy: alas-jssp log approve.
Tools without rules are refused. docs/how-to/guard.md explains policies.

Examples:
  $ alas-jssp guard --print-policy -- npx -y some-mcp-server > guard.json
  $ alas-jssp guard --policy guard.json --log guard.db
  $ alas-jssp guard --log guard.db -- mcp-server-git --repository .
  $ alas-jssp guard --recover guard.db --json`;

/** `alas-jssp guard`: an MCP proxy whose tools can be taken back. */
export function createGuardCommand(session: Session): Command {
  return withOutput(session, new Command('guard'))
    .argument('[command...]', 'after --: the command of an MCP server')
    .option('--policy <file>', 'rules for the tools, and servers')
    .option('--server <name=command>', 'a server; may be repeated', gather, [])
    .option('--http <url>', 'a server by its address; may be repeated', gather, [])
    .option('--log <file>', 'SQLite file of the log', 'guard.db')
    .option('--approver <name>', 'a person who may approve; may be repeated', gather, [])
    .option('--on-close <end>', 'abort or commit, when the client goes (default: abort)')
    .option('--report <file>', 'write the reports of the sessions as JSON', outputFile)
    .option('--print-policy', 'print a first policy for the servers')
    .option('--recover <log>', 'take back what a crash has left; no servers are served')
    .option('--session <run>', 'with --recover: only these sessions', gather, [])
    .addHelpText('after', HELP)
    .action(async (command: string[], options: Options) => {
      if (options.recover !== undefined) return recover(session, options.recover, options);
      const policy = guardSettings(options, command);
      if (options.printPolicy) return printPolicy(session, policy);
      return serve(session, policy, options);
    });
}

/** Serves a client over stdin and stdout, until it goes. */
async function serve(
  session: Session,
  policy: GuardPolicy,
  { log, report: file }: Options,
): Promise<void> {
  const { openGuard } = await import('../guard/open-guard.js');
  const { serveGuard } = await import('../guard/proxy/serve-guard.js');
  const { stdin, stdout } = session.host;
  const interrupt = new AbortController();
  let isInterrupted = false;
  const deafen = onInterruption(
    session,
    () => {
      isInterrupted = true;
      interrupt.abort();
    },
    'the session is ended as when the client goes',
  );
  try {
    const guard = await openGuard({ log, policy, signal: interrupt.signal });
    for (const report of guard.recovered) remark(session, lineOf(report));
    for (const { name, reason } of guard.refusedTools)
      remark(session, `${name} is refused: ${reason}`);
    if (stdout.isTTY) remark(session, 'waiting for the first message of an MCP client on stdin');
    const streams = {
      stdin: Readable.from(stdin, { objectMode: false }),
      stdout: stdout as Writable,
    };
    let reports: readonly GuardReport[] = [];
    try {
      await serveGuard(tellingApprovals(session, guard, log), streams, interrupt.signal);
    } finally {
      reports = [...guard.recovered, ...(await guard.close())];
      if (file !== undefined) writeReports(file, reports);
    }
    for (const report of reports) remark(session, lineOf(report));
    if (isInterrupted) session.exitCode = exitCode.interrupted;
    if (!reports.every(isClean)) session.exitCode = exitCode.no;
  } finally {
    deafen();
  }
}

/** A guard that tells people on stderr which calls wait for them: the client need not show it. */
function tellingApprovals(session: Session, guard: Guard, log: string): Guard {
  return {
    ...guard,
    async call(...given) {
      const answer = await guard.call(...given);
      const { approval, repeated } = answer;
      if (approval !== undefined && !repeated) {
        const { run, name, by } = approval;
        const command = `alas-jssp log approve ${log} ${run} ${name} --by ${by[0] ?? 'NAME'}`;
        remark(session, `${run}: ${name} waits for ${by.join(' or ')}: ${command}`);
      }
      return answer;
    },
  };
}

function writeReports(file: string, reports: readonly GuardReport[]): void {
  replaceFile(file, `${JSON.stringify(reports.map(reportJson), null, 2)}\n`);
}

/** A report in one line. */
function lineOf({ session, status, reason, calls, inDoubt, remaining }: GuardReport): string {
  const parts = [
    `${session}: ${status}`,
    `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`,
    inDoubt.length > 0 ? `in doubt: ${inDoubt.join(', ')}` : '',
    remaining.length > 0 ? `not taken back: ${remaining.join(', ')}` : '',
    reason ?? '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** Takes back what sessions without a living guard have left. */
async function recover(session: Session, log: string, options: Options): Promise<void> {
  const { recoverLog } = await import('../guard/recover-log.js');
  const { reports, living } = await recoverLog(log, options.session ?? []);
  if (options.report !== undefined) writeReports(options.report, reports);
  const rows = reports.flatMap((report) => {
    const calls = report.calls.map((call) => ({ session: report.session, ...call }));
    return calls.length > 0 ? calls : [{ session: report.session, ...NO_CALL }];
  });
  await printRows(session, options.format, COLUMNS, rows, reports.map(reportJson));
  for (const report of reports) remark(session, lineOf(report));
  for (const id of living) {
    remark(session, `${id} is left alone: it is open, and its guard may still live`);
  }
  if (reports.length + living.length === 0) remark(session, 'no session is left to take back');
  if (!reports.every(isClean)) session.exitCode = exitCode.no;
}

type Row = ReportedCall & { readonly session: string };

const NO_CALL = { call: 0, tool: '', server: '', status: 'refused', message: 'no calls' } as const;

const column = columnsOf<Row>();
const COLUMNS = [
  column('session'),
  column('call'),
  column('tool'),
  column('status'),
  column('message'),
];

/** Prints a first policy for the servers that are named. */
async function printPolicy(session: Session, policy: GuardPolicy): Promise<void> {
  const { listServers } = await import('../guard/recover-log.js');
  const { firstPolicy } = await import('../guard/print-policy.js');
  const servers = await listServers(policy);
  await print(session, JSON.stringify(firstPolicy(servers), null, 2));
}
