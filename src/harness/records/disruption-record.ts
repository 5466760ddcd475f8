import { z } from 'zod';
import { formatEvent } from '../../disruption/index.js';
import type { RepairMetrics } from '../../lcrp/metrics/metrics.js';
import type { Simulation, SimulationStep } from '../../lcrp/simulate.js';
import { type Outcome, PHASES, type Totals } from '../../lcrp/simulation-totals.js';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const seconds = z.number().nonnegative();

/** The last phase of the protocol that changed a schedule. */
export const phaseSchema = z.enum(PHASES);

const starts = z.object({
  compared: count,
  sum: count,
  mean: z.number().nonnegative(),
  max: count,
  earlier: count,
  earlier_units: count,
});

const sequences = z.object({
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

const edited = z.object({
  operations: count,
  starts: count,
  ranks: count,
  jobs: count,
  machines: count,
  radius: count.nullable(),
});

/** An instant at which events took effect, and the repair that followed. */
const step = z.object({
  now: count,
  events: z.array(z.string()),
  lost: count,
  phase: phaseSchema,
  feasible: z.boolean(),
  executable: z.boolean(),
  affected: count,
  edited: edited.extend({ fraction: share }),
  unscheduled: count,
  starts,
  sequences,
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
  edited,
  start_deviation: count,
  earlier: count,
  earlier_units: count,
  evaluations: count,
  seconds,
});

const outcome = z.object({
  makespan: change,
  tardiness: change,
  degradation_percent: z.number().nullable(),
  edited: z.object({ starts: count, ranks: count }),
  starts,
  sequences,
});

/** How a schedule was executed; `docs/records.md` tells what each key means. */
export const disruptionSchema = z.object({
  policy: z.string(),
  finished: z.boolean(),
  skipped: z.array(z.object({ event: z.string(), reason: z.string() })),
  steps: z.array(step),
  totals,
  outcome,
});

/** What a record says of an execution. */
export type DisruptionRecord = z.infer<typeof disruptionSchema>;

/** An execution as records tell it. */
export function describeExecution(simulation: Simulation, policy: string): DisruptionRecord {
  const { finished, skipped, steps, totals, outcome } = simulation;
  return {
    policy,
    finished,
    skipped: skipped.map(({ event, reason }) => ({
      event: formatEvent(event),
      reason: reason.code,
    })),
    steps: steps.map(describeStep),
    totals: describeTotals(totals),
    outcome: describeOutcome(outcome, finished),
  };
}

function describeStep(taken: SimulationStep): DisruptionRecord['steps'][number] {
  const { now, events, lost, metrics, judgement, seconds } = taken;
  const { phase, affected, edited, unscheduled, sequences, makespan, tardiness } = metrics;
  return {
    now,
    events: events.map(formatEvent),
    lost,
    phase,
    feasible: judgement.feasible,
    executable: judgement.executable,
    affected,
    edited: { ...edited },
    unscheduled,
    starts: describeStarts(metrics.starts),
    sequences: { ...sequences },
    match_up: metrics.matchUp,
    makespan: { ...makespan },
    tardiness: { ...tardiness },
    evaluations: metrics.evaluations,
    seconds,
  };
}

function describeTotals(sums: Totals): DisruptionRecord['totals'] {
  const { repairs, events, lost, affected, evaluations, seconds } = sums;
  const { edited: operations, starts, ranks, jobs, machines, radius } = sums;
  return {
    repairs,
    events,
    lost,
    affected,
    edited: { operations, starts, ranks, jobs, machines, radius },
    start_deviation: sums.deviation,
    earlier: sums.earlier,
    earlier_units: sums.earlierUnits,
    evaluations,
    seconds,
  };
}

/** What was not finished has no makespan that could be compared. */
function describeOutcome(result: Outcome, finished: boolean): DisruptionRecord['outcome'] {
  const { makespan, tardiness, edited, starts, sequences } = result;
  const { planned, realised } = makespan;
  const measurable = finished && planned > 0;
  return {
    makespan: { ...makespan },
    tardiness: { ...tardiness },
    degradation_percent: measurable ? (100 * (realised - planned)) / planned : null,
    edited: { ...edited },
    starts: describeStarts(starts),
    sequences: { ...sequences },
  };
}

function describeStarts({ earlierUnits, ...starts }: RepairMetrics['starts']) {
  return { ...starts, earlier_units: earlierUnits };
}
