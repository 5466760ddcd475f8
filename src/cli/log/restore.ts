import { describeState, lastSnapshot, stateOfRun } from '@alas-jssp/workflow';
import { Command } from 'commander';
import { renderJson } from '../../report/table.js';
import { outputFile } from '../common/files.js';
import { wholeNumber } from '../common/options.js';
import { print } from '../common/output.js';
import type { Session } from '../common/session.js';
import { openShopMemory, writeVersion } from '../shop/shop-versions.js';
import { chooseRun, requireEntry, withLog } from './runs.js';

interface Options {
  run?: string;
  out?: string;
  outInstance?: string;
  suite?: string;
}

/** `alas-jssp log restore`: prints the state of a run after one of its entries. */
export function logRestoreCommand(session: Session): Command {
  return new Command('restore')
    .description('print the state of a run after one of its entries, or write a version of a shop')
    .argument('<file>', 'a log, or an export of one')
    .argument(
      '<version>',
      'version of the entry; with --out or --out-instance, of the schedule of a shop',
      wholeNumber('a version', 0),
    )
    .option('--run <id>', 'run of the log; needed only if there are several')
    .option('--out <file>', 'file for the plan of a version of a shop', outputFile)
    .option('--out-instance <file>', 'JSON file for the instance of that version', outputFile)
    .option('--suite <suite>', 'files with the instance of a shop, if the log only names it')
    .addHelpText(
      'after',
      `
The state is folded from the last restore point before the entry, if any. It has
the values (application), the effects with their compensations (operation), and
the satisfied edges (dependency).

For a shop (alas-jssp execute), every version of its schedule is a restore
point; they count from 1. --out writes the plan, --out-instance its instance in
execution.

Examples:
  $ alas-jssp log restore run.db 12
  $ alas-jssp log restore shop.db 3 --out plan-3.json --out-instance shop-3.json`,
    )
    .action((file: string, version: number, options: Options) =>
      withLog(file, (log) => {
        const run = chooseRun(log, file, options.run);
        if (options.out !== undefined || options.outInstance !== undefined) {
          const memory = openShopMemory(log, run, options.suite, version);
          return writeVersion(memory, run, version, options);
        }
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
