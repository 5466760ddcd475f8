import { InputError } from '@alas-jssp/core/errors';
import { Argument, Command } from 'commander';
import {
  type Benchmark,
  type Bounds,
  benchmarks,
  benchmarksOf,
  folderBenchmarks,
  folderSuiteNames,
  suiteNames,
} from '../../jssp/benchmark-index.js';
import { modeCount } from '../../jssp/shop-parts.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import type { PlannerSpec } from '../../search/planners.js';
import { isGiven, type OutputOptions, withOutput } from '../common/options.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

/** `alas-jssp list`: lists suites, instances and planners. */
export function listCommand(session: Session): Command {
  return withOutput(session, new Command('list'))
    .addArgument(
      new Argument('[what]', 'things to list')
        .choices(['suites', 'instances', 'planners'])
        .default('suites'),
    )
    .option('--suite <suite>', 'suite, instance or glob, for a list of instances', 'all')
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp list
  $ alas-jssp list instances --suite swv
  $ alas-jssp list planners --json`,
    )
    .action(async (what: What, options: Options, command: Command) => {
      if (what !== 'instances' && isGiven(command, 'suite')) throw onlyForInstances(what);
      await list(session, what, options);
    });
}

type What = 'suites' | 'instances' | 'planners';

interface Options extends OutputOptions {
  suite: string;
}

async function list(session: Session, what: What, { format, suite }: Options): Promise<void> {
  const show = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) =>
    printRows(session, format, columns, rows, { schema: 'alas-jssp/list@1', [what]: rows });
  if (what === 'suites') await show(suiteColumns, suiteRows());
  if (what === 'instances') {
    const rows = (await findInstances(suite)).map(toRow);
    await show(instanceColumns(rows), rows);
  }
  if (what === 'planners') {
    await show(plannerColumns, (await import('../../pipeline/planners/planners.js')).plannerSpecs);
  }
}

function onlyForInstances(what: What): InputError {
  return new InputError(
    'bad_option',
    `--suite has no meaning for a list of ${what}`,
    'omit it, or write: alas-jssp list instances --suite …',
  );
}

const suiteDescriptions: Readonly<Record<string, string>> = {
  dmu: 'Demirkol, Mehta and Uzsoy 1998',
  ta: 'Taillard 1993',
  abz: 'Adams, Balas and Zawack 1988',
  swv: 'Storer, Wu and Vaccari 1992',
  yn: 'Yamada and Nakano 1992',
  ft: 'Fisher and Thompson 1963',
  la: 'Lawrence 1984',
  orb: 'Applegate and Cook 1991',
  classic: 'dmu, ta, abz, swv and yn',
  all: 'all of the above',
  paper: 'the instances of the ALAS paper',
  mk: 'flexible: Brandimarte 1993',
  dpp: 'flexible: Dauzère-Pérès and Paulli 1994',
  mt: 'flexible: Chambers and Barnes 1996',
  setb4: 'flexible: Chambers and Barnes 1996',
  seti5: 'flexible: Chambers and Barnes 1996',
  kacem: 'flexible: Kacem, Hammadi and Borne 2002',
  fattahi: 'flexible: Fattahi, Mehrabad and Jolai 2007',
  behnke: 'flexible: Behnke and Geiger 2012',
  'hurink-edata': 'flexible: Hurink, Jurisch and Thole 1994',
  'hurink-rdata': 'flexible: Hurink, Jurisch and Thole 1994',
  'hurink-sdata': 'flexible: Hurink, Jurisch and Thole 1994',
  'hurink-vdata': 'flexible: Hurink, Jurisch and Thole 1994',
  flexible: 'mk to hurink-vdata: flexible job shops',
  'tai-100x100': 'large: Da Col and Teppan 2022',
  'tai-100x1000': 'large: Da Col and Teppan 2022; needs a folder: tai-100x1000=FOLDER',
};

const ofSuite = columnsOf<ReturnType<typeof suiteRows>[number]>();
const suiteColumns = [
  ofSuite('suite'),
  ofSuite('instances', whole),
  ofSuite('operations', whole),
  ofSuite('proven_optimal', whole, { header: 'solved' }),
  ofSuite('description', { header: '' }),
];

function suiteRows() {
  return [...suiteNames, ...folderSuiteNames].map((suite) => {
    const members =
      benchmarksOf(suite) ??
      [...folderBenchmarks().values()].filter((each) => each.suite === suite);
    return {
      suite,
      instances: members.length,
      operations: members.reduce((sum, { operations }) => sum + operations, 0),
      proven_optimal: members.filter(({ bounds }) => bounds.lower === bounds.upper).length,
      description: suiteDescriptions[suite] ?? '',
    };
  });
}

const ofInstance = columnsOf<ReturnType<typeof toRow>>();

/** The number of modes is a column only where it exceeds that of operations. */
const instanceColumns = (rows: readonly ReturnType<typeof toRow>[]) => [
  ofInstance('instance'),
  ofInstance('suite'),
  ofInstance('jobs', whole),
  ofInstance('machines', whole),
  ofInstance('operations', whole, { minor: 1 }),
  ...(rows.some(({ modes, operations }) => modes > operations)
    ? [ofInstance('modes', whole, { minor: 2 })]
    : []),
  ofInstance('lower_bound', whole, { header: 'lower' }),
  ofInstance('upper_bound', whole, { header: 'upper' }),
  ofInstance('as_of', { minor: 2 }),
];

function toRow({ name, suite, jobs, machines, operations, modes, bounds }: ListedInstance) {
  return {
    instance: name,
    suite,
    jobs,
    machines,
    operations,
    modes,
    lower_bound: bounds?.lower ?? null,
    upper_bound: bounds?.upper ?? null,
    as_of: bounds?.asOf ?? null,
  };
}

/** A benchmark, or the instance of a file; it has bounds if a benchmark has the same numbers. */
type ListedInstance = Omit<Benchmark, 'totalWork' | 'sha256' | 'path' | 'bounds'> & {
  readonly bounds: Bounds | null;
};

/** The instances of a specification. Readers of files are loaded only if needed. */
async function findInstances(spec: string): Promise<readonly ListedInstance[]> {
  const members = benchmarksOf(spec.toLowerCase());
  if (members !== undefined) return members;
  const { boundsFor, resolveSources } = await import('../../jssp/suites.js');
  return resolveSources(spec).map((source) => {
    const { name, suite } = source;
    const benchmark = benchmarks().get(name);
    if (benchmark !== undefined && source.bounds !== null) return benchmark;
    const instance = source.load();
    const modes = modeCount(instance);
    return { ...instance, name, suite, modes, bounds: boundsFor(instance) };
  });
}

const ofPlanner = columnsOf<PlannerSpec>();
const plannerColumns = [
  ofPlanner('spec', { key: 'planner' }),
  ofPlanner('description', { header: '' }),
];
