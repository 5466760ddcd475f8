import { peopleRuns } from './experiments.js';
import { coordination, type PaperItem } from './paper-item.js';

const ALAS = { paper: 'alas', kind: 'measurement', needs: '@alas-jssp/coordination' } as const;

/** A plan that the paper prints, judged. */
function printed(number: number, problem: string, more: readonly string[] = []) {
  return () => [
    coordination(['validate', problem, `alas-table-${number}`, ...more, '--format', 'md']),
  ];
}

const JUDGED = 'Without a key: the printed plan, judged. With a key: models on the same problem.';

/** The plans of ALAS for people, cars and ovens. */
export const ALAS_PEOPLE: readonly PaperItem[] = [
  ...dinnerPlans(),
  {
    ...ALAS,
    id: 'alas/table-26',
    inPart: true,
    title: 'Iterations of models until their dinner plan is right, and their faults',
    note: 'Without a key: all printed plans, the paper’s verdicts and the judge’s. With a key: each model, alone and as a team, in ten threads with up to three rounds in which the judge’s violations go back to it.',
    keyless: () => [coordination(['papers', '--format', 'md'])],
    seconds: 2,
    asking: peopleRuns('dinner'),
    experiments: ['dinner'],
  },
  {
    ...ALAS,
    id: 'alas/table-27',
    title: 'A failed plan after the delay of a flight',
    note: `${JUDGED} The paper counts seven failures in ten runs of two models.`,
    keyless: printed(27, 'thanksgiving-delay-home', [
      '--before',
      'alas-table-21',
      '--now',
      '12:00',
    ]),
    seconds: 1,
    asking: peopleRuns('dinner-delayed'),
    experiments: ['dinner-delayed'],
  },
  {
    ...ALAS,
    id: 'alas/table-28',
    title: 'The plan of ALAS after the delay',
    note: 'Feasible if Michael can be sent to the airport at noon, an hour into his drive; not with the facts that the problem states. Both readings are judged, and the repair of this package is shown.',
    keyless: () => [
      coordination(
        'validate thanksgiving-delay alas-table-28 --before thanksgiving-road --now 12:00 --format md'.split(
          ' ',
        ),
      ),
      coordination(
        'validate thanksgiving-delay-home alas-table-28-home --before alas-table-21 --now 12:00 --format md'.split(
          ' ',
        ),
      ),
      coordination(
        'repair thanksgiving alas-table-21 thanksgiving-delay-noon --now 12:00 --format md'.split(
          ' ',
        ),
      ),
    ],
    seconds: 2,
    asking: peopleRuns('dinner-delayed'),
    experiments: ['dinner-delayed'],
  },
  {
    ...ALAS,
    id: 'alas/figure-7',
    inPart: true,
    title: 'Kilometres of ride-sharing plans over ten runs',
    note: 'The paper prints no plan, only 95.1 ± 13.0 km and 118.9 ± 16.6 km. Without a key: the shortest plan, with its proof. With a key: ten plans of each model, before and after the change.',
    keyless: () => [coordination(['plan', 'ride-sharing', '--format', 'md'])],
    seconds: 1,
    asking: peopleRuns('rides', 'rides-changed'),
    experiments: ['rides', 'rides-changed'],
  },
];

/** Tables 21 to 25: dinner plans of three models, right and wrong. */
function dinnerPlans(): PaperItem[] {
  const titles: readonly [number, string][] = [
    [21, 'A dinner plan of DeepSeek, after two iterations'],
    [22, 'A dinner plan of GPT-4o, after three iterations'],
    [23, 'A dinner plan of Claude, after two iterations'],
    [24, 'A dinner plan of Claude with a wrong travel time'],
    [25, 'A dinner plan of DeepSeek with wrong travel times'],
  ];
  return titles.map(([number, title]) => ({
    ...ALAS,
    id: `alas/table-${number}`,
    title,
    note: JUDGED,
    keyless: printed(number, 'thanksgiving'),
    seconds: 1,
    asking: peopleRuns('dinner'),
    experiments: ['dinner'],
  }));
}
