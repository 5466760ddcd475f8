import { inspect } from 'node:util';
import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import { createSchedule } from '../jssp/schedule.js';
import { type KnownBound, type ValidationReport, validate } from '../validator/index.js';
import { privateCopy } from './private-copy.js';
import { createStopwatch, type StageSeconds } from './stopwatch.js';

/** What a pipeline is handed besides the instance and the planner. */
export interface PipelineContext extends PlannerContext {
  /** A proven lower bound: what claims to end earlier is a contradiction, never a success. */
  readonly bound?: KnownBound | undefined;
}

/** How a pipeline ended: a feasible schedule, an infeasible plan, or no plan at all. */
export type PipelineStatus = 'ok' | 'infeasible' | 'error';

/** What came out of a pipeline. */
export interface PipelineResult {
  readonly status: PipelineStatus;
  /** The very plan that was judged, a schedule as one of the true instance; null if there is none. */
  readonly candidate: Candidate | null;
  /** The verdict on it; null if nothing could be judged. */
  readonly verdict: ValidationReport | null;
  readonly seconds: StageSeconds;
  /** Why there is no verdict, in one line; null if there is one. */
  readonly error: string | null;
}

/**
 * Runs one planner on one instance and has the validator judge what it hands over. A planner
 * that throws is a result like any other: status `error`.
 *
 * Every planner, ours or not, plans on a private copy: the judge and the neighbours never see
 * what it does to the numbers. The copy takes a fiftieth of the time of the fastest planner, so none is trusted.
 *
 * @throws the reason of `context.signal` if that was aborted meanwhile
 */
export async function runPipeline(
  instance: Instance,
  planner: Planner,
  context: PipelineContext,
): Promise<PipelineResult> {
  const { bound } = context;
  const stopwatch = createStopwatch();
  let candidate: Candidate | null = null;
  try {
    const copy = privateCopy(instance);
    const made = await stopwatch.time('plan', () => planner.plan(copy, context));
    const plan = isSchedule(made) ? createSchedule(instance, made.start) : made;
    candidate = plan;
    const verdict = await stopwatch.time('validate', () => validate(instance, plan, { bound }));
    const status = verdict.valid ? 'ok' : 'infeasible';
    return { status, candidate, verdict, seconds: stopwatch.read(), error: null };
  } catch (error) {
    context.signal?.throwIfAborted();
    const seconds = stopwatch.read();
    return { status: 'error', candidate, verdict: null, seconds, error: errorLine(error) };
  }
}

/** What was thrown, as one line of text, be it an error or not. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : error;
  const words = typeof text === 'string' && text !== '' ? text : `${inspect(text)} was thrown`;
  return words.trim().replaceAll(/\s*\n\s*/g, ' ');
}
