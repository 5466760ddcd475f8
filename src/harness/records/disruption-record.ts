import * as z from 'zod';
import { formatEvent } from '../../disruption/index.js';
import type { Simulation } from '../../lcrp/simulation/simulate.js';
import { PHASES } from '../../lcrp/task.js';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const seconds = z.number().nonnegative();

/** The last phase of the protocol that changed a schedule. */
export const phaseSchema = z.enum(PHASES);

const deviation = z.object({
  start_changes: count,
  rank_changes: count,
  compared: count,
  shift_total: count,
  shift_mean: z.number().nonnegative(),
  shift_max: count,
  wip_moves: count,
  wip_units: count,
  inversions: count,
  kendall: share,
  displacement: count,
  footrule: share,
});

const progress = z.object({
  before: count,
  compensated: count.nullable(),
  reordered: count.nullable(),
  final: count,
});
const change = z.object({ planned: count, realised: count });

/** An instant at which events took effect, and the repair that followed. */
const step = z.object({
  now: count,
  events: z.array(z.string()),
  lost: count,
  feasible: z.boolean(),
  executable: z.boolean(),
  phase: phaseSchema,
  affected: count,
  edited_operations: count,
  edited_jobs: count,
  edited_machines: count,
  reassigned: count.default(0),
  edited_fraction: share,
  edit_radius: count.nullable(),
  ...deviation.shape,
  unscheduled: count,
  match_up: count.nullable(),
  makespan: progress,
  tardiness: progress,
  evaluations: count,
  seconds,
});

const totals = z.object({
  repairs: count,
  events: count,
  lost: count,
  affected: count,
  evaluations: count,
  seconds,
});

const outcome = z.object({
  makespan: change,
  degradation_percent: z.number().nullable(),
  tardiness: change,
  ...deviation.shape,
});

/**
 * The execution of a schedule; `docs/reference/records.md` describes each key. The total edits of its repairs are under
 * `repair` of the record.
 */
export const disruptionSchema = z.object({
  policy: z.string(),
  finished: z.boolean(),
  skipped: z.array(z.object({ event: z.string(), reason: z.string() })),
  steps: z.array(step),
  totals,
  outcome,
});

/** An execution in a record. */
export type DisruptionRecord = z.infer<typeof disruptionSchema>;

/** The record of an execution. */
export function describeExecution(simulation: Simulation, policy: string): DisruptionRecord {
  const { finished, skipped, steps, totals, outcome, schedule } = simulation;
  const shop = schedule.instance;
  return {
    policy,
    finished,
    skipped: skipped.map(({ event, reason }) => ({
      event: formatEvent(event, shop),
      reason: reason.code,
    })),
    steps: steps.map(({ now, events, lost, judgement, metrics, seconds }) => ({
      now,
      events: events.map((event) => formatEvent(event, shop)),
      lost,
      feasible: judgement.feasible,
      executable: judgement.executable,
      ...metrics,
      seconds,
    })),
    totals,
    outcome,
  };
}
