import type { Instance } from '../../../jssp/instance.js';

/**
 * The order that a rule gives to the operations that wait for a machine; the smallest comes first, equal ones by
 * operation number.
 *
 * - `fixed`: N keys, one per operation, known in advance
 * - `arrival`: the key is the earliest possible start of the operation
 * - `critical-ratio`: `(due − now) / work` changes while operations wait; `due` has n entries, Infinity for none, and
 *   `work` N entries, the work of the job from each operation on
 */
export type Priority =
  | { readonly kind: 'fixed'; readonly key: Float64Array }
  | { readonly kind: 'arrival' }
  | { readonly kind: 'critical-ratio'; readonly due: Float64Array; readonly work: Float64Array };

/** A priority dispatching rule. */
export interface Rule {
  /** The name in the literature, such as `FDD/MWKR`. */
  readonly name: string;
  readonly description: string;
  /** Its definition: authors, year, DOI. */
  readonly source: string;
  /** Whether the rule needs due dates and refuses instances without any. */
  readonly needsDueDates: boolean;
  /** @throws InputError `no_due_dates` if the rule needs due dates and the instance has none */
  prioritize(instance: Instance, seed: number): Priority;
}

/** Sources that define several rules. */
export const PANWALKAR = 'Panwalkar and Iskander 1977, doi:10.1287/opre.25.1.45';
export const HAUPT = 'Haupt 1989, doi:10.1007/BF01721162';
export const SELS = 'Sels, Gheysen and Vanhoucke 2012, doi:10.1080/00207543.2011.611539';
