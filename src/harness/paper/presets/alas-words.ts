import {
  coordination,
  jssp,
  type PaperCommand,
  type PaperItem,
  type PaperSetup,
} from './paper-item.js';

const ALAS = { paper: 'alas' } as const;

/** Languages of engines to which workflows are converted, with the endings of their files. */
const LANGUAGES = { asl: 'json', argo: 'yaml', bpmn: 'bpmn' } as const;

/** The workflow of ALAS for job shops, converted to the languages, with a report on each of its features. */
function conversions({ out }: PaperSetup): PaperCommand[] {
  return [
    blueprintFile(out),
    ...Object.entries(LANGUAGES).map(([to, ending]) =>
      jssp(
        [
          'workflow',
          'convert',
          `${out}/workflow.json`,
          '--to',
          to,
          '--json',
          '--out',
          `${out}/${to}.${ending}`,
        ],
        'conversion',
      ),
    ),
  ];
}

/** As {@link conversions}, and each document is read back. */
function roundTrips(setup: PaperSetup): PaperCommand[] {
  const { out } = setup;
  return [
    ...conversions(setup),
    ...Object.entries(LANGUAGES).map(([to, ending]) =>
      jssp(['workflow', 'convert', `${out}/${to}.${ending}`], 'equals', {
        equals: `${out}/workflow.json`,
      }),
    ),
  ];
}

function blueprintFile(out: string): PaperCommand {
  return jssp(['workflow', 'blueprint'], 'hidden', { save: `${out}/workflow.json` });
}

/** A workflow drafted from one of the shipped tasks, with the recorded answers that come with it. */
export function draftOf(task: string): (setup: PaperSetup) => PaperCommand[] {
  return ({ out, file }) => [
    jssp(
      [
        'workflow',
        'draft',
        file(`examples/tasks/${task}.md`),
        '--planner',
        `cassette:${file(`examples/tasks/${task}.cassette.json`)}`,
        '--out',
        `${out}/draft`,
      ],
      'hidden',
    ),
    jssp(['workflow', 'show', `${out}/draft`], 'text'),
  ];
}

/** The note on drafts from recorded answers. */
const DRAFTED =
  'The draft is made of recorded answers that we wrote, so it shows the form and the checks, not a model’s skill. Drafts have agents for nodes that act and validators; edges have none.';

/** A printed problem as this project states it. */
function problem(name: string): () => PaperCommand[] {
  return () => [coordination(['show', name, '--format', 'md'])];
}

/** The step from the static plan through the breakdown to the repair, on five jobs and three machines. */
function repairOf(policy: string): (setup: PaperSetup) => PaperCommand[] {
  return ({ out, file }) => {
    const folder = 'examples/five-by-three';
    const [shop, plan] = [file(`${folder}/shop.json`), file(`${folder}/plan.json`)];
    const [made, instance] = [`${out}/repaired.json`, `${out}/shop-now.json`];
    const events = ['--events', file(`${folder}/events.json`)];
    const policies = ['--policy', file(`${folder}/${policy}.json`)];
    const files = ['--out', made, '--out-instance', instance];
    return [
      jssp(['show', shop, '--gantt', plan, '--now', '4', '--format', 'table'], 'text'),
      jssp(['repair', shop, plan, ...events, ...policies, ...files, '--format', 'md']),
      jssp(['show', instance, '--gantt', made, '--now', '4', '--format', 'table'], 'text'),
    ];
  };
}

const OUR_SHOP =
  'The paper does not print the durations of its 5×3 shop (19 before, 22 after), so this is a shop of our own with a breakdown of the second machine.';

const COORDINATION = '@alas-jssp/coordination';

/** The definitions, drawings and comparisons of ALAS. */
export const ALAS_WORDS: readonly PaperItem[] = [
  {
    ...ALAS,
    id: 'alas/figure-1',
    inPart: true,
    kind: 'illustration',
    title: 'Architecture layers, and one cycle of execution',
    note: 'A drawing. Shown here: the workflow that carries out the cycle.',
    keyless: () => [jssp(['workflow', 'blueprint', '--text'], 'text')],
    seconds: 1,
  },
  {
    ...ALAS,
    id: 'alas/table-1',
    inPart: true,
    kind: 'specification',
    title: 'Choice among workflow standards',
    note: 'The paper compares in words. Here the workflow for job shops is converted to each standard, and every feature is native, emulated or only kept as data.',
    keyless: conversions,
    seconds: 4,
    needs: '@alas-jssp/convert',
  },
  {
    ...ALAS,
    id: 'alas/table-2',
    kind: 'specification',
    title: 'Concepts of workflows in two engines, in short',
    note: 'As table 7; docs/design/papers.md compares them cell by cell.',
    keyless: conversions,
    seconds: 4,
    needs: '@alas-jssp/convert',
  },
  {
    ...ALAS,
    id: 'alas/figure-2',
    kind: 'illustration',
    title: 'Repair, phase 1: delays along jobs and machines after a breakdown',
    note: OUR_SHOP,
    keyless: repairOf('compensate'),
    seconds: 2,
  },
  {
    ...ALAS,
    id: 'alas/figure-3',
    kind: 'illustration',
    title: 'Repair, phase 2: operations pass each other',
    note: OUR_SHOP,
    keyless: repairOf('growing'),
    seconds: 2,
  },
  {
    ...ALAS,
    id: 'alas/table-6',
    kind: 'specification',
    title: 'The execution loop in seven steps',
    note: 'The same loop as a workflow: plan, validate, repair and validate at most K times, optimize, validate, supervise.',
    keyless: () => [jssp(['workflow', 'blueprint', '--text', '--rounds', '5'], 'text')],
    seconds: 1,
  },
  {
    ...ALAS,
    id: 'alas/table-7',
    kind: 'specification',
    title: 'Concepts of workflows in two engines, complete',
    note: 'Every feature that the workflow for job shops uses, in three languages. docs/design/papers.md compares the cells with the paper’s.',
    keyless: conversions,
    seconds: 4,
    needs: '@alas-jssp/convert',
  },
  {
    ...ALAS,
    id: 'alas/table-8',
    kind: 'specification',
    title: 'Conformance of engines, and round trips',
    note: 'Conversions to three languages, read back and compared. The engines themselves are run by `npm run test:engines`; docs/reference/conformance.md has the results.',
    keyless: roundTrips,
    seconds: 6,
    needs: '@alas-jssp/convert',
  },
  {
    ...ALAS,
    id: 'alas/table-9',
    kind: 'specification',
    title: 'The prompt for single models',
    note: 'The file in the form that the paper prints, and the first question that it makes for one shop. Nothing is sent. Facts of the form (fields, their order, the example) are the paper’s; sentences are ours.',
    keyless: ({ file }) => [
      jssp(
        [
          'plan',
          'abz7',
          '--planner',
          `openai:gpt-4o#format=entries,prompt=${file('benchmarks/paper/prompts/single.txt')},structured=no`,
          '--show-prompt',
        ],
        'text',
      ),
    ],
    seconds: 1,
  },
  {
    ...ALAS,
    id: 'alas/figure-6',
    kind: 'illustration',
    title: 'Architecture with layered decomposition and memory',
    note: 'A drawing of components; there is nothing to measure. docs/design/papers.md says which code has which part.',
  },
  {
    ...ALAS,
    id: 'alas/table-15',
    kind: 'specification',
    title: 'Agents for ride sharing: inputs, outputs, functions',
    note: `A workflow for a shared ride, drafted from a text: its steps, with agents and compensations. ${DRAFTED}`,
    keyless: draftOf('shared-ride'),
    seconds: 3,
    needs: '@alas-jssp/blueprint',
  },
  {
    ...ALAS,
    id: 'alas/table-16',
    kind: 'specification',
    title: 'Places of the agents in the network of ride sharing',
    note: 'Here agents belong to the steps of a workflow (alas/table-15), not to places and roads of a map.',
  },
  {
    ...ALAS,
    id: 'alas/table-17',
    kind: 'specification',
    title: 'The Thanksgiving dinner as a problem',
    note: 'All facts, with the half hours for luggage and car of section F.7.',
    keyless: problem('thanksgiving'),
    seconds: 1,
    needs: COORDINATION,
  },
  ...dinnerNetwork(),
  {
    ...ALAS,
    id: 'alas/table-29',
    kind: 'specification',
    title: 'Ride sharing to the airport as a problem',
    note: 'All facts of the table, with roads in kilometres and minutes.',
    keyless: problem('ride-sharing'),
    seconds: 1,
    needs: COORDINATION,
  },
  {
    ...ALAS,
    id: 'alas/table-30',
    kind: 'specification',
    title: 'The family reunion as a problem',
    note: 'The same problem as table 17.',
    keyless: problem('thanksgiving'),
    seconds: 1,
    needs: COORDINATION,
  },
  {
    ...ALAS,
    id: 'alas/table-31',
    kind: 'specification',
    title: 'Workflow standards on common axes',
    note: 'As table 7: what conversions find. docs/design/papers.md has the axes.',
    keyless: conversions,
    seconds: 4,
    needs: '@alas-jssp/convert',
  },
  {
    ...ALAS,
    id: 'alas/table-32',
    kind: 'specification',
    title: 'Code-first engines on the same axes',
    note: 'Opinions on Temporal, Flyte and Conductor. Of these only Temporal is a host here (docs/how-to/temporal.md); its tests need a server, and there is nothing to compare it with.',
  },
  {
    ...ALAS,
    id: 'alas/table-33',
    kind: 'specification',
    inPart: true,
    title: 'Cases of REALM-Bench and how well engines suit them',
    note: 'How well an engine suits a case is an opinion of the authors, and not measured. Shown here: the cases themselves, planned by search and at random, judged, and repaired after events. P1, P2, P3, P7 and P10 are instances of our own of the same kind (the published files are not shipped: --data reads them), P5, P6, P8 and P9 the problems of the papers, J1 to J4 classic job shops.',
    keyless: realmCases,
    seconds: 40,
    needs: COORDINATION,
  },
  {
    ...ALAS,
    id: 'alas/figure-8',
    kind: 'illustration',
    title: 'Formats around the internal representation',
    note: 'A drawing of the conversions; these are the conversions themselves, there and back.',
    keyless: roundTrips,
    seconds: 6,
    needs: '@alas-jssp/convert',
  },
];

/** The tables on the network of agents for the dinner. */
function dinnerNetwork(): PaperItem[] {
  const table = (number: number, title: string, more: Partial<PaperItem>): PaperItem => ({
    ...ALAS,
    id: `alas/table-${number}`,
    kind: 'specification',
    title,
    note: `A workflow for the dinner, drafted from a text. ${DRAFTED}`,
    keyless: draftOf('dinner'),
    seconds: 3,
    needs: '@alas-jssp/blueprint',
    ...more,
  });
  return [
    table(18, 'Agents that monitor nodes and edges of the dinner', { inPart: true }),
    table(19, 'The complete workflow of the dinner: nodes, edges, agents', {}),
    {
      ...ALAS,
      id: 'alas/table-20',
      kind: 'specification',
      title: 'Interactions of the agents of the dinner, and their states',
      note: 'Agents here exchange the inputs and outputs of steps; there are no protocols between two agents, and no states but those of steps.',
    },
  ];
}

/** The cases of REALM-Bench, small. */
function realmCases({ out }: PaperSetup): PaperCommand[] {
  const suites = ['realm-p1', 'realm-p2', 'realm-p3', 'realm-p7', 'realm-p10'];
  const suite = (name: string) =>
    coordination(
      `run --suite ${name} --generated 3 --seed 1 --planner search,random --format md`.split(' '),
    );
  const shops = (name: string, words: string) =>
    jssp(
      [...`run --suite ft06,la01,la16 --planner dispatch:best ${words}`.split(' ')],
      'markdown',
      {
        makes: { kind: 'run', path: `${out}/${name}` },
      },
    );
  return [
    ...suites.map(suite),
    coordination('run --problem wedding,thanksgiving --planner search --format md'.split(' ')),
    coordination('repair wedding wedding wedding-traffic --format md'.split(' ')),
    coordination(
      'repair thanksgiving alas-table-21 thanksgiving-delay-noon --format md'.split(' '),
    ),
    shops('shops', '--format md'),
    shops('shops-disrupted', '--disrupt medium --repair right-shift,lcrp --format md'),
  ];
}
