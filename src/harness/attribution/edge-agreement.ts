import type { AttributionRecord } from '../records/attribution-record.js';
import { mean, present } from '../statistics/descriptive.js';
import type { AttributedRecord } from './attributed-records.js';
import { type AttributionSubject, attributionGroups, meansBy } from './shares.js';

/** Agreement of the final schedules with the plans that they came from, in percent of the pairs of the plans. */
export interface EdgeAgreement {
  readonly kept_percent: number | null;
  /** The same for random schedules, and for a rule's schedule, in the place of the plan. */
  readonly by_chance_percent: number | null;
  readonly by_rule_percent: number | null;
  /** The excess over chance in percent of the largest possible one: (kept − chance) / (100 − chance). */
  readonly beyond_chance_percent: number | null;
}

/** The machine orders of the plans that the final schedules keep; means over instances. */
export interface EdgeRow extends AttributionSubject {
  /** Records with a plan and a final schedule. */
  readonly records: number;
  /** Operations with a usable claim, in percent of all. */
  readonly claimed_percent: number | null;
  readonly pairs: EdgeAgreement;
  readonly neighbours: EdgeAgreement;
}

/** The agreement of every planner, of the controls too. */
export function edgeRows(attributed: readonly AttributedRecord[]): EdgeRow[] {
  return attributionGroups(attributed).map(({ subject, group }) => {
    const made = group.filter(({ facts }) => facts.pairs !== null);
    return {
      ...subject,
      records: made.length,
      claimed_percent: meanOver(made, ({ facts }) => {
        return facts.operations === 0 ? null : (100 * facts.claimed) / facts.operations;
      }),
      pairs: agreement(made, ({ pairs }) => pairs),
      neighbours: agreement(made, ({ neighbours }) => neighbours),
    };
  });
}

function agreement(
  group: readonly AttributedRecord[],
  pick: (facts: AttributionRecord) => AttributionRecord['pairs'],
): EdgeAgreement {
  const percent = (key: 'kept' | 'by_chance' | 'by_rule') =>
    meanOver(group, ({ facts }) => {
      const share = pick(facts)?.[key] ?? null;
      return share === null ? null : 100 * share;
    });
  const [kept, chance] = [percent('kept'), percent('by_chance')];
  const isDefined = kept !== null && chance !== null && chance < 100;
  return {
    kept_percent: kept,
    by_chance_percent: chance,
    by_rule_percent: percent('by_rule'),
    beyond_chance_percent: isDefined ? (100 * (kept - chance)) / (100 - chance) : null,
  };
}

/** The mean over instances of the means over replicates. */
function meanOver(
  group: readonly AttributedRecord[],
  quantity: (one: AttributedRecord) => number | null,
): number | null {
  const values = present(
    group.map((one) => {
      const value = quantity(one);
      return value === null ? null : { instance: one.record.instance, value };
    }),
  );
  return mean([...meansBy(values, ({ value }) => value).values()]);
}
