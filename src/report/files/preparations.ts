import type { Schedule } from '../../jssp/schedule.js';
import { setupsOf } from '../../jssp/setup-times.js';
import { chosenMode, SETUP_PHASE } from '../../jssp/shop-parts.js';
import { wordsOf } from '../../jssp/words.js';

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
    const needs = needsIn(schedule, op, false);
    return { setup, needs, setupNeeds: setup === null ? [] : needsIn(schedule, op, true) };
  });
}

/** The needs of an operation in the chosen mode, in one of its phases. */
function needsIn({ instance }: Schedule, op: number, isSetup: boolean) {
  const { resources } = instance;
  if (resources === null || instance.duration[op] === 0) return [];
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const words = wordsOf(instance);
  const found: string[] = [];
  const mode = chosenMode(instance, op);
  for (let i = needOffset[mode]; i < needOffset[mode + 1]; i++) {
    if ((needPhase[i] === SETUP_PHASE) !== isSetup) continue;
    const name = words.resource(needResource[i]);
    found.push(needAmount[i] === 1 ? name : `${needAmount[i]} × ${name}`);
  }
  return found;
}
