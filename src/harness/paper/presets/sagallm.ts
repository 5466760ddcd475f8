import { draftOf } from './alas-words.js';
import { peopleRuns } from './experiments.js';
import { coordination, jssp, type PaperItem, type PaperSetup } from './paper-item.js';

const SAGALLM = { paper: 'sagallm' } as const;
const COORDINATION = '@alas-jssp/coordination';

/** The experiments on context, on the wedding before and after the alert. */
const CAPABILITIES = '--experiment capabilities --problem wedding,wedding-traffic';

/** Words of a command without quotes, of alas-coordination, as Markdown. */
function people(text: string) {
  return coordination([...text.split(' '), '--format', 'md']);
}

/** The tables and figures of SagaLLM. */
export const SAGALLM_ITEMS: readonly PaperItem[] = [
  {
    ...SAGALLM,
    id: 'sagallm/table-1',
    kind: 'specification',
    title: 'Classical sagas and SagaLLM, compared in words',
    note: 'A comparison in words; docs/design/papers.md says which code and test has each idea.',
  },
  {
    ...SAGALLM,
    id: 'sagallm/table-2',
    kind: 'specification',
    title: 'The state that is kept of a transaction: application, operations, dependencies',
    note: 'A trip is booked with trial tools up to an approval; then the state is read from the log. Reasons and rejected alternatives are in the log only if a model decides.',
    keyless: stateOfTrip,
    seconds: 5,
    needs: '@alas-jssp/blueprint',
  },
  {
    ...SAGALLM,
    id: 'sagallm/table-3',
    kind: 'specification',
    inPart: true,
    title: 'Validations by the global validation agent',
    note: 'The trip is booked at a service with faults, each of which one of the kinds of the table finds: budget, order of bookings, times, agreement of agents, boundary of the transaction, and facts, by comparison with the books of the service. Kinds that judge the text of a model (reasoning) need one, and are in docs/how-to/agents.md.',
    keyless: faultyTrips,
    seconds: 12,
    needs: COORDINATION,
  },
  {
    ...SAGALLM,
    id: 'sagallm/table-10',
    kind: 'measurement',
    inPart: true,
    title: 'Models and SagaLLM on five capabilities of context management',
    note: 'The paper has words, no numbers. Each capability is a rate that the judge measures, by arm: the whole conversation, its latest part, and our slices of it. Without a key: two scripts, one that forgets nothing and one that forgets all but 1,500 tokens, which the experiment must distinguish; they say nothing about any model. With a key: models.',
    keyless: () => [
      people(`run ${CAPABILITIES} --planner control:perfect,control:forgets-1500 --replicates 1`),
    ],
    seconds: 40,
    asking: ({ planners, runs, threads, limits }) => [
      coordination(
        [
          'run',
          ...CAPABILITIES.split(' '),
          ...planners.flatMap((planner) => ['--planner', planner]),
          '--replicates',
          `${threads}`,
          '--record',
          `${runs}/answers`,
          ...limits,
          '--format',
          'md',
        ],
        'markdown',
        { makes: { kind: 'records', path: `${runs}/capabilities.jsonl` } },
      ),
    ],
    experiments: ['capabilities'],
    needs: COORDINATION,
  },
  {
    ...SAGALLM,
    id: 'sagallm/figure-2',
    kind: 'illustration',
    title: 'Trip planning by people, then booking by agents with compensations',
    note: 'The whole workflow runs: itineraries are proposed, a person chooses one, seven agents book it, and after a cancelled flight they compensate and book again what it affects. The paper states no offers, so flights, hotels, trains and prices are ours; the agents follow code, not a model.',
    keyless: wholeTrip,
    seconds: 12,
    needs: COORDINATION,
  },
  {
    ...SAGALLM,
    id: 'sagallm/figure-1',
    kind: 'illustration',
    title: 'Architecture: context management, validation, transactions',
    note: 'A drawing of components; there is nothing to measure.',
  },
  {
    ...SAGALLM,
    id: 'sagallm/figure-3',
    kind: 'illustration',
    title: 'The directories of the authors’ code',
    note: 'A list of directories of another project.',
  },
  {
    ...SAGALLM,
    id: 'sagallm/table-4',
    kind: 'specification',
    title: 'The Thanksgiving dinner as a problem',
    note: 'The same problem as table 17 of ALAS.',
    keyless: () => [people('show thanksgiving')],
    seconds: 1,
    needs: COORDINATION,
  },
  {
    ...SAGALLM,
    id: 'sagallm/figure-4',
    inPart: true,
    kind: 'illustration',
    title: 'A dinner plan of Claude, with time for luggage',
    note: 'The times of the drawing are not in the text, so the plan cannot be judged. Without a key: the cheapest plan with the same half hours. With a key: models on the problem.',
    keyless: () => [people('plan thanksgiving')],
    seconds: 2,
    asking: peopleRuns('dinner'),
    experiments: ['dinner'],
    needs: COORDINATION,
  },
  {
    ...SAGALLM,
    id: 'sagallm/figure-5',
    inPart: true,
    kind: 'illustration',
    title: 'A plan of Claude after the delay, with four faults',
    note: 'The text names the faults but not all times, so the plan cannot be judged. Without a key: the repair of this package after the same delay, known at 13:00. With a key: models after the delay.',
    keyless: () => [people('repair thanksgiving alas-table-21 thanksgiving-delay-1pm --now 13:00')],
    seconds: 2,
    asking: peopleRuns('dinner-delayed-later'),
    experiments: ['dinner-delayed-later'],
    needs: COORDINATION,
  },
  {
    ...SAGALLM,
    id: 'sagallm/table-5',
    kind: 'specification',
    title: 'The wedding as a problem',
    note: 'All facts of the table.',
    keyless: () => [people('show wedding')],
    seconds: 1,
    needs: COORDINATION,
  },
  ...weddingPlans(),
];

/** Tables 6 to 9: plans for the wedding, before and after the alert. */
function weddingPlans(): PaperItem[] {
  const before = '--before sagallm-table-6 --now 13:00';
  const rows: readonly [number, string, string, string][] = [
    [
      6,
      'A plan of Claude that is at the tailor too late',
      'validate wedding sagallm-table-6',
      'wedding',
    ],
    [
      7,
      'A plan of Claude that ignores the traffic',
      'validate wedding-traffic sagallm-table-7 --before wedding --now 13:00',
      'wedding-alert',
    ],
    [
      8,
      'A plan of DeepSeek that rewrites the past',
      `validate wedding-traffic sagallm-table-8 ${before}`,
      'wedding-alert',
    ],
    [
      9,
      'A plan of GPT-o1 after the alert, feasible',
      'validate wedding-traffic sagallm-table-9',
      'wedding-alert',
    ],
  ];
  return rows.map(([number, title, command, experiment]) => ({
    ...SAGALLM,
    id: `sagallm/table-${number}`,
    kind: 'measurement' as const,
    title,
    note: 'Without a key: the printed plan, judged. With a key: models on the same problem.',
    keyless: () => [people(command)],
    seconds: 1,
    asking: peopleRuns(experiment),
    experiments: [experiment],
    needs: COORDINATION,
  }));
}

/** A trip booked with trial tools until it waits for an approval, and the state in its log. */
function stateOfTrip(setup: PaperSetup) {
  const { out } = setup;
  const log = `${out}/run.db`;
  return [
    draftOf('travel')(setup)[0],
    jssp(
      ['workflow', 'run', `${out}/draft`, '--tools', 'trial', '--log', log, '--run', 'trip'],
      'hidden',
    ),
    jssp(['log', 'restore', log, '32', '--run', 'trip'], 'text'),
  ];
}

/** The trip from the proposals to a cancelled flight, and its log computed again. */
function wholeTrip({ out }: PaperSetup) {
  const [log, other] = [`${out}/trip.db`, `${out}/cancelled.db`];
  return [
    people(`travel book berlin-cologne --approve --log ${log}`),
    people(`travel resume ${log} --choose 1 --by Ann`),
    people(`travel book berlin-cologne --events flight-cancelled --log ${other}`),
    people(`travel replay ${other}`),
  ];
}

/** The trip at a service with one fault at a time. */
function faultyTrips() {
  const faults = [
    'wrong_price:hotel',
    'sold_out:hotel',
    'false_answer:hotel',
    'double_booking:flight',
  ];
  return faults.map((fault) => people(`travel book berlin-cologne --fault ${fault}`));
}
