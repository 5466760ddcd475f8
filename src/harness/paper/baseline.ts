import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { RunRecord } from '../records/record.js';

/** A planner in a variant. */
export type RowName = Pick<RunRecord, 'planner' | 'variant'>;

/** Whether both have the same planner and variant. */
export function sameRow(one: RowName, other: RowName): boolean {
  return one.planner === other.planner && one.variant === other.variant;
}

/**
 * Reads the baseline planner, as in `insertion` or `degraded:0.1@no-repair`. Without a variant it is `full`, or else
 * the first one in which the planner ran. Planner names may contain @.
 *
 * @throws InputError `other_planner` or `other_variant` if there are no records of it
 */
export function parseBaseline(text: string, records: readonly RunRecord[]): RowName {
  const whole = variantsOf(text, records);
  if (whole.length > 0) {
    return { planner: text, variant: whole.includes('full') ? 'full' : whole[0] };
  }
  const at = text.lastIndexOf('@');
  const planner = at < 0 ? text : text.slice(0, at);
  const variants = variantsOf(planner, records);
  if (variants.length === 0) {
    const planners = [...new Set(records.map((record) => record.planner))];
    throw unknown(
      'other_planner',
      `there are no records of the planner ${planner}`,
      text,
      planners,
    );
  }
  const variant = text.slice(at + 1);
  if (variants.includes(variant)) return { planner, variant };
  throw unknown(
    'other_variant',
    `${planner} has no records of a variant ${variant}`,
    text,
    variants,
  );
}

function variantsOf(planner: string, records: readonly RunRecord[]): string[] {
  return [...new Set(records.flatMap((one) => (one.planner === planner ? [one.variant] : [])))];
}

function unknown(
  code: string,
  problem: string,
  text: string,
  known: readonly string[],
): InputError {
  return new InputError(code, problem, suggestNames(text, known), {}, text);
}
