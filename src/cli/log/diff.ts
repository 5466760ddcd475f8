import { InputError } from '@alas-jssp/core/errors';
import { type AuditableLog, type Difference, diffVersions } from '@alas-jssp/workflow';
import { Command } from 'commander';
import type { Instance } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import { changesBetween, type ShopChange } from '../../pipeline/shop/changes.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { clipped, counted } from '../../report/format.js';
import { machineChange, needsChange } from '../common/mode-change.js';
import { type OutputOptions, wholeNumber, withOutput } from '../common/options.js';
import { remarkVerdict } from '../common/output.js';
import type { Session } from '../common/session.js';
import { datesOf, timeColumn } from '../common/shop-times.js';
import { printRows } from '../common/tables.js';
import { openShopMemory } from '../shop/shop-versions.js';
import { chooseRun, requireEntry, withLog } from './runs.js';

interface Options extends OutputOptions {
  run?: string;
  versions?: boolean;
  suite?: string;
}

/** `alas-jssp log diff`: shows the outputs of a run that differ between two versions. */
export function logDiffCommand(session: Session): Command {
  const version = wholeNumber('a version', 0);
  return withOutput(session, new Command('diff'))
    .description('show the outputs of nodes that differ between two versions')
    .argument('<file>', 'a log, or an export of one')
    .argument('<before>', 'version of an entry', version)
    .argument('<after>', 'version of a later entry', version)
    .option('--run <id>', 'run of the log; needed only if there are several')
    .option('--versions', 'compare two versions of the schedule of a shop, not two entries')
    .option('--suite <suite>', 'files with the instance of a shop, if the log only names it')
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp log diff run.db 4 12
  $ alas-jssp log diff shop.db 2 5 --versions`,
    )
    .action((file: string, before: number, after: number, options: Options) =>
      withLog(file, async (log) => {
        const run = chooseRun(log, file, options.run);
        if (options.versions) return diffShop(session, log, run, before, after, options);
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

/** Prints the operations whose start, machine, operators or tools differ between two versions of a shop's schedule. */
async function diffShop(
  session: Session,
  log: AuditableLog,
  run: string,
  before: number,
  after: number,
  { format, suite }: Options,
): Promise<void> {
  const memory = openShopMemory(log, run, suite, before, after);
  if (before > after) {
    const problem = `version ${after} is older than version ${before}`;
    throw new InputError('bad_option', problem, 'name the older version first');
  }
  const changes = changesBetween(memory, run, before, after);
  const { instance } = memory.versionOf(run, after).schedule;
  const dated = changes.map((change) => {
    const { was, start, end } = change;
    return { ...change, ...datesOf(instance, { was, start, end }) };
  });
  const data = { schema: 'alas-jssp/shop-diff@1', run, before, after, changes: dated };
  await printRows(session, format, changeColumns(instance), changes, data);
  const count = counted(changes.length, 'operation');
  const others = changes.filter(({ wasOn, needs }) => wasOn !== undefined || needs !== undefined);
  const verb = changes.length === 1 ? 'differs' : 'differ';
  const elsewhere =
    others.length === 0 ? '' : `, ${others.length} of them in machine, operators or tools`;
  const verdict = `${run}: ${count} ${verb} from version ${before} in version ${after}${elsewhere}`;
  remarkVerdict(session, format, verdict);
}

const ofChange = columnsOf<ShopChange>();

/** The columns of changes, with the names of the shop. */
function changeColumns(instance: Instance) {
  const labels = labelsOf(instance);
  return [
    ofChange.of('job', ({ job }) => labels.job(job), { align: 'left' }),
    ofChange.of('step', ({ step }) => step + 1, {
      format: (step, { job, step: index }) => labels.operation(job, index) ?? String(step),
      align: 'left',
    }),
    ofChange.of('machine', ({ machine }) => labels.machine(machine), {
      format: (name, { wasOn }) =>
        wasOn === undefined ? String(name) : machineChange(labels.machine(wasOn), String(name)),
      align: 'left',
    }),
    ...(instance.modes === null
      ? []
      : [
          ofChange.of(
            'was_on',
            ({ wasOn }) => (wasOn === undefined ? null : labels.machine(wasOn)),
            {
              hidden: true,
            },
          ),
        ]),
    ...(instance.resources === null
      ? []
      : [
          ofChange.of('needs', ({ wasNeeds, needs }) => needsChange(wasNeeds, needs), {
            header: 'operators and tools',
            when: (rows) => rows.some(({ needs }) => needs !== undefined),
            align: 'left',
          }),
        ]),
    timeColumn<ShopChange>('was', instance, ({ was }) => was),
    timeColumn<ShopChange>('start', instance, ({ start }) => start),
    timeColumn<ShopChange>('end', instance, ({ end }) => end),
  ];
}

const column = columnsOf<Difference>();
const columns = [column('op'), column('path'), valueColumn('was'), valueColumn('value')];

function valueColumn(key: 'was' | 'value'): Column<Difference> {
  const value = (difference: Difference) =>
    key in difference ? JSON.stringify((difference as Record<typeof key, unknown>)[key]) : null;
  return column.of(key, value, { format: clipped(48), align: 'left' });
}
