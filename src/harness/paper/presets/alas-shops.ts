import { paperTable, runsOf, shopRuns, shopTable } from './experiments.js';
import { jssp, type PaperItem, type PaperSetup } from './paper-item.js';

const EVERYTHING = ['shops-single', 'shops-teams', 'shops-alas'];
const PAPER = { paper: 'alas', kind: 'measurement' } as const;

/** The records of the answers that the authors of ALAS published, judged by our validator. */
function publicAnswers(table: string): (setup: PaperSetup) => ReturnType<typeof jssp>[] {
  return ({ file }) => [
    jssp(['report', ...PUBLISHED.map((name) => file(`${MODELS}/${name}`)), ...paperTable(table)]),
  ];
}

const MODELS = 'results/reference/leaderboard/models';
const PUBLISHED = [
  'autogen-gpt-4o',
  'crewai-gpt-4o',
  'langgraph-gpt-4o',
  'openai_swarm-gpt-4o',
  'crewai-claude-sonnet-4',
  'langgraph-claude-sonnet-4',
  'openai_swarm-claude-sonnet-4',
  'single-gpt-4o',
  'single-claude-sonnet-4',
  'single-gemini-2-5',
  'single-deepseek-v3',
];

/** The tables and figures of ALAS on job shops that are measured. */
export const ALAS_SHOPS: readonly PaperItem[] = [
  {
    ...PAPER,
    id: 'alas/table-3',
    inPart: true,
    title: 'Success rates of agent frameworks, single models and ALAS on 45 job shops',
    note: 'Success is a schedule that the validator accepts; in the paper it is a makespan that was reported. Without a key: the stored records of 242 public answers of the paper’s models. The repaired rows are our repair, not theirs. Frameworks are patterns of this package in prompts of the paper’s form, not the frameworks.',
    keyless: publicAnswers('success'),
    seconds: 3,
    asking: shopTable('success', EVERYTHING),
    experiments: EVERYTHING,
  },
  {
    ...PAPER,
    id: 'alas/table-4',
    inPart: true,
    title: 'Optimality of the schedules of agent frameworks and ALAS on 45 job shops',
    note: 'Best known upper bound / makespan, of feasible schedules only. Without a key: the public answers, of which none is feasible before repair. ALAS states 100 % on all suites, which would solve instances that are open.',
    keyless: publicAnswers('optimality'),
    seconds: 3,
    asking: shopTable('optimality', EVERYTHING),
    experiments: EVERYTHING,
  },
  {
    ...PAPER,
    id: 'alas/table-5',
    title: 'Ablation: ALAS without repair, without validation, and complete',
    note: 'Optimality with 0 for records without a feasible schedule, so that all variants count the same instances. All variants of a planner use the same plans.',
    asking: shopTable('ablation', ['shops-alas']),
    experiments: ['shops-alas'],
  },
  {
    ...PAPER,
    id: 'alas/study',
    title: 'Micro-study of validation (section 4.2): 20 structural faults of each class',
    note: 'The paper prints no numbers for it. Here 23 classes of faults are injected into the valid schedules of five shops; detection, repair and their costs are measured.',
    keyless: studyOfValidation,
    seconds: 120,
  },
  {
    ...PAPER,
    id: 'alas/table-10',
    title: 'Heuristics that models propose, with parameters',
    note: 'The prompt for single models asks for the algorithm, its parameters and the makespan. All of them are listed, beside the makespan of the plan if it is feasible; no model runs an algorithm by naming it.',
    asking: (setup) => [
      ...shopRuns(['shops-single'], setup),
      jssp(['report', ...runsOf(['shops-single'], setup), '--algorithms', '--format', 'md']),
    ],
    experiments: ['shops-single'],
  },
  {
    ...PAPER,
    id: 'alas/table-11',
    title: 'Execution time of frameworks and ALAS, by suite',
    note: 'Seconds of a record: the answers of the model as its provider took, plus repair and search here.',
    asking: shopTable('time', EVERYTHING),
    experiments: EVERYTHING,
  },
  {
    ...PAPER,
    id: 'alas/table-12',
    title: 'Tokens of frameworks and ALAS, by suite',
    note: 'Tokens of a record as the provider reports them. The paper’s CrewAI answers of about 300 tokens cannot hold a schedule of 200 operations or more.',
    asking: shopTable('tokens', EVERYTHING),
    experiments: EVERYTHING,
  },
  {
    ...PAPER,
    id: 'alas/table-13',
    title: 'Cost of frameworks and ALAS, total and for each instance',
    note: 'List prices times tokens. The cost in the paper is close to a flat 30 dollars per million tokens, whatever the model.',
    asking: shopTable('cost', EVERYTHING),
    experiments: EVERYTHING,
  },
  {
    ...PAPER,
    id: 'alas/table-14',
    title: 'Summary: frameworks against ALAS',
    note: 'Final results and total costs of every planner. The improvements of the paper divide means over different models.',
    asking: shopTable('summary', EVERYTHING),
    experiments: EVERYTHING,
  },
  {
    ...PAPER,
    id: 'alas/figure-5',
    title: 'Error rate after each round of repair',
    note: 'The share of plans with faults before any repair and after each of up to five rounds, in which the model repairs its own plan. Round 0 is the plan itself. With repair by the protocol there is one round and no error after it (alas/study).',
    asking: (setup) => [
      ...shopRuns(['shops-rounds'], setup),
      jssp([
        'report',
        ...runsOf(['shops-rounds'], setup),
        '--study',
        '--table',
        'rounds',
        '--format',
        'md',
      ]),
    ],
    experiments: ['shops-rounds'],
  },
  {
    ...PAPER,
    id: 'alas/figure-4',
    kind: 'illustration',
    title: 'Gantt charts of optimized schedules of four shops',
    note: 'The paper does not name its four shops. Here: abz7, dmu03, swv01 and yn1, planned by a rule and improved in 20,000 iterations, without a model. Drawings are SVG files of the row.',
    keyless: charts,
    seconds: 20,
  },
];

/** Schedules of one instance of each kind, with faults in each of them. */
function studyOfValidation({ out }: PaperSetup): ReturnType<typeof jssp>[] {
  const made = `${out}/schedules`;
  const shops = 'abz7,dmu03,swv01,ta01,yn1';
  return [
    jssp(words('run --suite', shops, '--planner insertion --optimize 2k-iterations'), 'hidden', {
      makes: { kind: 'run', path: made },
    }),
    jssp(['report', made, '--study', '--faults', '20', '--format', 'md']),
  ];
}

const CHARTS = ['abz7', 'dmu03', 'swv01', 'yn1'];

function charts({ out }: PaperSetup): ReturnType<typeof jssp>[] {
  const made = `${out}/schedules`;
  return [
    jssp(
      words(
        'run --suite',
        CHARTS.join(),
        '--planner dispatch:best --optimize 20k-iterations --save-schedules --format md',
      ),
      'markdown',
      { makes: { kind: 'run', path: made } },
    ),
    ...CHARTS.map((name) => {
      const plan = `${made}/schedules/${name}__dispatch-best__full__0.json`;
      return jssp(['show', name, '--gantt', plan, '--svg', `${out}/${name}.svg`], 'hidden');
    }),
  ];
}

/** The words of texts that hold no quotes. */
function words(...texts: string[]): string[] {
  return texts.join(' ').split(' ');
}
