import { Command } from 'commander';
import { type Column, columnsOf } from '../../report/columns.js';
import { clipped, counted } from '../../report/format.js';
import { type Difference, diffVersions } from '../../workflow/index.js';
import { type OutputOptions, wholeNumber, withOutput } from '../common/options.js';
import { remarkVerdict } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { chooseRun, requireEntry, withLog } from './runs.js';

interface Options extends OutputOptions {
  run?: string;
}

/** `alas-jssp log diff`: what changed in the outputs of a run from one version to another. */
export function logDiffCommand(session: Session): Command {
  const version = wholeNumber('a version', 0);
  return withOutput(session, new Command('diff'))
    .description('show what changed in the outputs of the nodes between two versions')
    .argument('<file>', 'a log, or an export of one')
    .argument('<before>', 'the version of an entry', version)
    .argument('<after>', 'the version of another', version)
    .option('--run <id>', 'run of the log; needed only if there are several')
    .addHelpText('after', '\nExample:\n  $ alas-jssp log diff run.db 4 12')
    .action((file: string, before: number, after: number, options: Options) =>
      withLog(file, async (log) => {
        const run = chooseRun(log, file, options.run);
        requireEntry(log, file, run, Math.max(before, after));
        const differences = diffVersions(log, run, before, after);
        const data = { schema: 'alas-jssp/log-diff@1', run, before, after, differences };
        await printRows(session, options.format, columns, differences, data);
        remarkVerdict(
          session,
          options.format,
          `${run}: ${counted(differences.length, 'difference')} from version ${before} to ${after}`,
        );
      }),
    );
}

const column = columnsOf<Difference>();
const columns = [column('op'), column('path'), valueColumn('was'), valueColumn('value')];

function valueColumn(key: 'was' | 'value'): Column<Difference> {
  const value = (difference: Difference) =>
    key in difference ? JSON.stringify((difference as Record<typeof key, unknown>)[key]) : null;
  return column.of(key, value, { format: clipped(48), align: 'left' });
}
