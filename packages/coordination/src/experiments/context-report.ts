import type { CoordinationRecord } from '../runs/record.js';
import { type CapabilityRow, capabilitiesOf } from './capabilities.js';
import type { ExperimentName } from './experiments.js';
import { type MeasuredTrial, measureRecord } from './measures.js';
import { type PairedRate, pairedRate, type Rate, rateOf } from './rates.js';

/** One planner under one condition. */
export interface ContextRow {
  readonly planner: string;
  readonly experiment: ExperimentName;
  readonly condition: string;
  readonly records: number;
  readonly plans: number;
  /** Mean estimated tokens of the prompt; null for verdicts. */
  readonly shown_tokens: number | null;
  /** Constraints that the prompt states, and those that the plan keeps: of all, and of those in the prompt. */
  readonly stated: Rate;
  readonly kept: Rate;
  readonly kept_stated: Rate;
  readonly valid: Rate;
  readonly history: Rate;
  readonly verdicts: Rate;
}

/** Two arms of one planner, compared on the same problems, replicates and lengths. */
export interface ContextPair extends PairedRate {
  readonly planner: string;
  readonly experiment: ExperimentName;
  /** The difference is that of the first less the second. */
  readonly arms: readonly [string, string];
  /** Tokens of other text; null where the experiment has none. */
  readonly filler: number | null;
  readonly measure: 'kept' | 'valid' | 'history' | 'verdict';
}

/** The tables of experiments. */
export interface ContextReport {
  readonly conditions: readonly ContextRow[];
  readonly pairs: readonly ContextPair[];
  readonly capabilities: readonly CapabilityRow[];
}

type Trial = NonNullable<CoordinationRecord['experiment']>;
/** Reports the experiments among records; null if there are none. */
export function reportContext(records: readonly CoordinationRecord[]): ContextReport | null {
  const measured = records.flatMap((record): MeasuredTrial[] => {
    const { experiment: trial } = record;
    if (trial === null) return [];
    const arm = trial.context?.arm ?? trial.condition;
    return [{ record, trial, arm, model: measureRecord(record, 'model') }];
  });
  if (measured.length === 0) return null;
  const planners = groupBy(measured, ({ record }) => record.planner);
  return {
    conditions: planners.flatMap((own) => groupBy(own, conditionKey).map(conditionRow)),
    pairs: planners.flatMap(pairsOf),
    capabilities: planners.flatMap(capabilitiesOf),
  };
}

function conditionKey({ trial }: MeasuredTrial): string {
  return `${trial.name}\n${trial.condition}`;
}

function conditionRow(some: readonly MeasuredTrial[]): ContextRow {
  const [{ record, trial }] = some;
  const rate = (value: (one: MeasuredTrial) => number | null) =>
    rateOf(some.map(value).filter((one) => one !== null));
  const constraints = (of: (one: Constraint) => boolean, among: (one: Constraint) => boolean) =>
    rate((one) => share((one.trial.constraints ?? []).filter(among), of));
  const isVerdict = trial.name === 'self-validation';
  const shown = some.map((one) => one.trial.context?.shown ?? 0).filter((one) => one > 0);
  return {
    planner: record.planner,
    experiment: trial.name,
    condition: trial.condition,
    records: some.length,
    plans: some.filter((one) => one.record.plan !== null).length,
    shown_tokens: shown.length === 0 ? null : shown.reduce((a, b) => a + b, 0) / shown.length,
    stated: constraints(({ shown }) => shown, always),
    kept: constraints(({ kept }) => kept, always),
    kept_stated: constraints(
      ({ kept }) => kept,
      ({ shown }) => shown,
    ),
    valid: rate((one) => (isVerdict ? null : Number(one.record.judged?.valid === true))),
    history: rate(({ model }) => (trial.name === 'amnesia' ? model.history : null)),
    verdicts: rate(({ model }) => model.verdict),
  };
}

type Constraint = NonNullable<Trial['constraints']>[number];

function always(): boolean {
  return true;
}

function share<T>(items: readonly T[], is: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(is).length / items.length;
}

/** The arms that are compared, by experiment, and the measure. */
const COMPARED: Readonly<
  Record<
    ExperimentName,
    {
      readonly measure: ContextPair['measure'];
      readonly pairs: readonly (readonly [string, string])[];
    }
  >
> = {
  'lost-constraints': {
    measure: 'kept',
    pairs: [
      ['slices', 'everything'],
      ['slices', 'recency'],
      ['everything', 'restated'],
      ['everything', 'unstated'],
    ],
  },
  narrowing: {
    measure: 'valid',
    pairs: [
      ['repeated', 'once'],
      ['far', 'once'],
      ['middle', 'once'],
    ],
  },
  amnesia: {
    measure: 'history',
    pairs: [
      ['log', 'conversation'],
      ['slices', 'conversation'],
      ['slices', 'recency'],
    ],
  },
  'self-validation': {
    measure: 'verdict',
    pairs: [
      ['own', 'own-thread'],
      ['correct-narrow', 'correct'],
      ['too-fast-narrow', 'too-fast'],
      ['left-out-narrow', 'left-out'],
    ],
  },
};

/** The pairs of arms of one planner. */
function pairsOf(own: readonly MeasuredTrial[]): ContextPair[] {
  return groupBy(own, ({ trial }) => trial.name).flatMap((some) => {
    const [{ record, trial }] = some;
    const { measure, pairs } = COMPARED[trial.name];
    const hasLengths = trial.name === 'lost-constraints';
    const fillers = hasLengths
      ? [...new Set(some.map(fillerOf))].filter((filler) => filler > 0).sort((a, b) => a - b)
      : [null];
    return pairs.flatMap((arms) =>
      fillers.flatMap((filler): ContextPair[] => {
        const differences = differencesOf(some, arms, filler, measure);
        if (differences.length === 0) return [];
        const { planner } = record;
        const head = { planner, experiment: trial.name, arms, filler, measure };
        return [{ ...head, ...pairedRate(differences) }];
      }),
    );
  });
}

function fillerOf({ trial }: MeasuredTrial): number {
  return trial.context?.filler ?? 0;
}

/** Differences of two arms, of the records with the same problem and replicate. */
function differencesOf(
  some: readonly MeasuredTrial[],
  [first, second]: readonly [string, string],
  filler: number | null,
  measure: ContextPair['measure'],
): number[] {
  // Arms that do not depend on the length are compared with every length.
  const ofArm = (arm: string) =>
    some.filter(
      (one) => one.arm === arm && (filler === null || [0, filler].includes(fillerOf(one))),
    );
  const others = new Map(ofArm(second).map((one) => [drawOf(one), measureOf(one, measure)]));
  return ofArm(first).flatMap((one) => {
    const value = measureOf(one, measure);
    const other = others.get(drawOf(one)) ?? null;
    return value === null || other === null ? [] : [value - other];
  });
}

function drawOf({ record }: MeasuredTrial): string {
  return `${record.problem}\n${record.replicate}`;
}

function measureOf(
  { record, model }: MeasuredTrial,
  measure: ContextPair['measure'],
): number | null {
  if (measure === 'valid') return Number(record.judged?.valid === true);
  if (measure === 'kept') return model.constraints;
  return measure === 'history' ? model.history : model.verdict;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}
