import type { Instance } from '../jssp/instance.js';
import type { Candidate } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import { type KnownBound, type ValidationReport, validate } from '../validator/index.js';
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
  /** The very plan that was judged; null if there is none. */
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
    const plan = await stopwatch.time('plan', () => planner.plan(instance, context));
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

/** What was thrown, as one line of text. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
