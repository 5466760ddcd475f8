import { AlasError, InputError } from 'alas-jssp';
import { expect, it } from 'vitest';
import { applyEvent } from '../../src/events/events.js';
import { judge } from '../../src/judge/judge.js';
import type { Action } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import { type CoordinationRepair, repairCoordination } from '../../src/repair/repair.js';
import { randomCase } from '../oracle/generate.js';
import { findFaults } from '../oracle/oracle.js';
import { randomOf } from '../oracle/random.js';
import { randomEvent } from './events-at-random.js';

const CASES = 250;

/** The problem after an event; null where the event leaves no problem, such as one without anybody for an activity. */
function after(problem: Problem, event: Parameters<typeof applyEvent>[1]): Problem | null {
  try {
    return applyEvent(problem, event);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** A repair; null if there is none, or if the event contradicts what has happened. */
function repairOf(...args: Parameters<typeof repairCoordination>): CoordinationRepair | null {
  try {
    return repairCoordination(...args);
  } catch (error) {
    if (error instanceof AlasError && ['no_plan', 'none_found', 'bad_event'].includes(error.code))
      return null;
    throw error;
  }
}

/** What of an action can no longer be changed once it has begun. */
function beginningOf(action: Action): string {
  const { start, end: _, ...rest } = action;
  return JSON.stringify(action.do === 'drive' ? { ...rest, to: '', start } : { ...rest, start });
}

it('repairs of random problems after random events are accepted by judge and oracle, and rewrite nothing', () => {
  const phases = new Map<string, number>();
  for (let seed = 1; seed <= CASES; seed++) {
    const { problem, plan } = randomCase(seed);
    const random = randomOf(7_919 * seed);
    const now = random.int(60, 160);
    const event = randomEvent(random, problem, now);
    const changed = event === undefined ? null : after(problem, event);
    if (changed === null) continue;
    const repair = repairOf(changed, plan, { now, budget: '300-iterations' });
    const phase = repair?.phase ?? 'none';
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
    if (repair === null) continue;
    const past = { plan, now };
    const context = JSON.stringify({ seed, event, phase });
    expect(judge(changed, repair.plan, past).violations, context).toEqual([]);
    expect(findFaults(changed, repair.plan, past), context).toEqual([]);
    const begun = (actions: readonly Action[]) =>
      actions.filter(({ start, do: kind }) => start < now && kind !== 'stay').map(beginningOf);
    expect(begun(repair.plan.actions).toSorted(), context).toEqual(begun(plan.actions).toSorted());
  }
  for (const phase of ['keep', 'retime', 'near']) expect(phases.get(phase) ?? 0).toBeGreaterThan(3);
});
