import { type ContextMeasures, type MeasuredTrial, measureRecord } from './measures.js';
import { type Rate, rateOf } from './rates.js';

/** The five abilities of table 10 of SagaLLM, as measured rates. */
const CAPABILITIES = [
  'keeps what has happened',
  'continues journeys under way',
  'checks constraints',
  'keeps early constraints',
  'plans that a world allows',
] as const;

/** One ability of one planner, by what it sees. */
export interface CapabilityRow {
  readonly planner: string;
  readonly capability: (typeof CAPABILITIES)[number];
  /** The whole conversation: a model without any management of context. */
  readonly everything: Rate;
  readonly recency: Rate;
  readonly slices: Rate;
  /** The relevant slices, and then the judge and the repair: the loop as SagaLLM has it. */
  readonly slices_repaired: Rate;
}

/** How an ability is measured: by which records in which arms. */
interface Measurement {
  readonly capability: CapabilityRow['capability'];
  readonly measure: keyof ContextMeasures;
  /** The arms of each column; only those whose name is listed. */
  readonly arms: Readonly<Record<'everything' | 'recency' | 'slices', readonly string[]>>;
  readonly experiments: readonly string[];
  /** Only the longest conversations. */
  readonly isLongest?: boolean;
}

const CONVERSATIONS = {
  everything: ['conversation', 'everything'],
  recency: ['recency'],
  slices: ['slices'],
};
const VERDICTS = {
  everything: ['correct', 'too-fast', 'left-out'],
  recency: [],
  slices: ['correct-narrow', 'too-fast-narrow', 'left-out-narrow'],
};

const MEASUREMENTS: readonly Measurement[] = [
  {
    capability: CAPABILITIES[0],
    measure: 'history',
    arms: CONVERSATIONS,
    experiments: ['amnesia'],
  },
  {
    capability: CAPABILITIES[1],
    measure: 'journeys',
    arms: CONVERSATIONS,
    experiments: ['amnesia'],
  },
  {
    capability: CAPABILITIES[2],
    measure: 'verdict',
    arms: VERDICTS,
    experiments: ['self-validation'],
  },
  {
    capability: CAPABILITIES[3],
    measure: 'constraints',
    arms: CONVERSATIONS,
    experiments: ['lost-constraints'],
    isLongest: true,
  },
  {
    capability: CAPABILITIES[4],
    measure: 'physical',
    arms: CONVERSATIONS,
    experiments: ['amnesia', 'lost-constraints'],
  },
];

/** The abilities of one planner, as far as its records show them. */
export function capabilitiesOf(own: readonly MeasuredTrial[]): CapabilityRow[] {
  return MEASUREMENTS.flatMap(({ capability, measure, arms, experiments, isLongest = false }) => {
    const of = own.filter(({ trial }) => experiments.includes(trial.name));
    const longest = Math.max(...of.map(fillerOf));
    const some = isLongest ? of.filter((one) => fillerOf(one) === longest) : of;
    const rate = (column: keyof typeof arms, read: (one: MeasuredTrial) => ContextMeasures) =>
      rateOf(
        some
          .filter(({ arm }) => arms[column].includes(arm))
          .map((one) => read(one)[measure])
          .filter((value) => value !== null),
      );
    const row: CapabilityRow = {
      planner: own[0].record.planner,
      capability,
      everything: rate('everything', ({ model }) => model),
      recency: rate('recency', ({ model }) => model),
      slices: rate('slices', ({ model }) => model),
      slices_repaired: rate('slices', ({ record }) => measureRecord(record, 'repaired')),
    };
    return row.everything.n + row.recency.n + row.slices.n === 0 ? [] : [row];
  });
}

function fillerOf({ trial }: MeasuredTrial): number {
  return trial.context?.filler ?? 0;
}
