import { deriveSeed } from '@alas-jssp/core/seed';
import type { Planner } from '../../jssp/planner.js';
import { randomSchedule } from '../../search/construct/random-order.js';

/** The planners that plan nothing, as controls for what repair and search do on their own. */
export const CONTROLS = ['empty', 'random'] as const;

/** One of {@link CONTROLS}. */
export type ControlName = (typeof CONTROLS)[number];

/** Whether a specification is one of {@link CONTROLS}. */
export function isControl(spec: string): spec is ControlName {
  return CONTROLS.some((control) => control === spec);
}

/** A planner that answers with no operation at all, or with all of them in a random order. */
export function createControlPlanner(name: ControlName): Planner {
  return {
    name,
    plan: async (instance, { seed, signal }) => {
      signal?.throwIfAborted();
      if (name === 'empty') return { entries: [] };
      return randomSchedule(instance, deriveSeed(seed, 'random-plan'));
    },
  };
}
