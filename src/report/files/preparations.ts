import { needWords } from '../../jssp/need-words.js';
import type { Schedule } from '../../jssp/schedule.js';
import { setupsOf } from '../../jssp/setup-times.js';
import { chosenMode, SETUP_PHASE, WORK_PHASE } from '../../jssp/shop-parts.js';

/** The setup, operators and tools of an operation of a plan. */
export interface Preparation {
  /** The time of its setup; null if it has none. */
  readonly setup: { readonly from: number; readonly to: number } | null;
  /** Its operators and tools, such as `Ana` or `2 × setters`: while it works, and during its setup. */
  readonly needs: readonly string[];
  readonly setupNeeds: readonly string[];
}

/** The setups, operators and tools of the operations of a plan, by operation (N entries). */
export function preparationsOf(schedule: Schedule): Preparation[] {
  const { instance } = schedule;
  const setups = new Map(
    setupsOf(schedule).map(({ operation, from, to }) => [operation, { from, to }]),
  );
  return Array.from({ length: instance.operations }, (_, op) => {
    const setup = setups.get(op) ?? null;
    const needsIn = (phase: number) => needWords(instance, chosenMode(instance, op), phase);
    const setupNeeds = setup === null ? [] : needsIn(SETUP_PHASE);
    return { setup, needs: needsIn(WORK_PHASE), setupNeeds };
  });
}
