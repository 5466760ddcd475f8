import { Command } from 'commander';
import { renderJson } from '../../report/table.js';
import { describeState, lastSnapshot, stateOfRun } from '../../workflow/index.js';
import { wholeNumber } from '../common/options.js';
import { print } from '../common/output.js';
import type { Session } from '../common/session.js';
import { chooseRun, requireEntry, withLog } from './runs.js';

/** `alas-jssp log restore`: the state of a run after one of its entries. */
export function logRestoreCommand(session: Session): Command {
  return new Command('restore')
    .description('print the state of a run as it was after one of its entries, in JSON')
    .argument('<file>', 'a log, or an export of one')
    .argument('<version>', 'the version of the entry', wholeNumber('a version', 0))
    .option('--run <id>', 'run of the log; needed only if there are several')
    .addHelpText(
      'after',
      `
The state is folded from the last restore point before, if the run has written
any. It tells what stood (application), what was done and how it is undone
(operation), and which edges were satisfied (dependency).

Example:
  $ alas-jssp log restore run.db 12`,
    )
    .action((file: string, version: number, { run: wanted }: { run?: string }) =>
      withLog(file, (log) => {
        const run = chooseRun(log, file, wanted);
        requireEntry(log, file, run, version);
        const state = stateOfRun(log, run, version);
        const { input, seed, approvals, stop = null, end = null } = state;
        return print(
          session,
          renderJson({
            schema: 'alas-jssp/log-state@1',
            run,
            version: state.versions - 1,
            restore_point: lastSnapshot(log, run, version)?.version ?? null,
            input,
            seed,
            approvals: Object.fromEntries(approvals),
            stop,
            end,
            ...describeState(state),
          }),
        );
      }),
    );
}
