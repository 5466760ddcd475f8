import type { LogStore } from '@alas-jssp/workflow';
import type { CoordinationOptions } from '../../src/execution/open-coordination.js';
import { bundledEvents, bundledPlan, bundledProblem } from '../../src/papers/bundled.js';

/** A reactive case of the papers, to be executed in a log. */
export function reactiveCase(
  store: LogStore,
  problem: string,
  plan: string,
  events: string,
): CoordinationOptions {
  return {
    store,
    problem: bundledProblem(problem),
    plan: bundledPlan(plan),
    events: bundledEvents(events).events,
  };
}

/** The rides of ALAS, of which one is cancelled and one asked for. */
export function ridesCase(store: LogStore): CoordinationOptions {
  return reactiveCase(store, 'ride-sharing', 'ride-sharing', 'ride-sharing-reactive');
}

/** The minute after everything. */
export const MIDNIGHT = 24 * 60;
