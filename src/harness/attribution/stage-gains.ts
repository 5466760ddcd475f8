import { clusterBootstrap } from '../statistics/bootstrap.js';
import { mean } from '../statistics/descriptive.js';
import type { AttributedRecord } from './attributed-records.js';
import { type AttributionSubject, attributionGroups, meansBy, valueAfter } from './shares.js';

/** The stages whose gains are measured, in their order. */
const STAGES = ['plan', 'repair', 'search'] as const;

/** The marginal gain of one stage: by how much it improves the value that it receives, the first one that of a random plan. */
export interface GainRow extends AttributionSubject {
  readonly stage: (typeof STAGES)[number];
  readonly records: number;
  readonly instances: number;
  /** Records in which the stage changed the value for the better, and for the worse. */
  readonly better: number;
  readonly worse: number;
  /** Mean gain in points (percent of the best known value), and its 95 % interval over instances. */
  readonly gain_points: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The gains of every stage of every planner, of the controls too. */
export function gainRows(attributed: readonly AttributedRecord[], seed: number): GainRow[] {
  return attributionGroups(attributed).flatMap(({ subject, group }) =>
    STAGES.map((stage) => {
      const gains = group.map((one) => ({
        instance: one.record.instance,
        gain: gainOf(one, stage),
      }));
      const means = [...meansBy(gains, ({ gain }) => gain).values()];
      const interval = clusterBootstrap(
        means.map((one) => [one]),
        { seed },
      );
      return {
        ...subject,
        stage,
        records: group.length,
        instances: means.length,
        better: gains.filter(({ gain }) => gain > 0).length,
        worse: gains.filter(({ gain }) => gain < 0).length,
        gain_points: mean(means),
        low: interval?.low ?? null,
        high: interval?.high ?? null,
      };
    }),
  );
}

function gainOf({ facts, random, unit }: AttributedRecord, stage: GainRow['stage']): number {
  const plan = valueAfter(facts, 'plan', random);
  const repaired = valueAfter(facts, 'repair', random);
  const final = valueAfter(facts, 'final', random);
  const [before, after] = {
    plan: [random, plan],
    repair: [plan, repaired],
    search: [repaired, final],
  }[stage];
  return (100 * (before - after)) / unit;
}
