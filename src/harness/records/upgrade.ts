import { isObject } from '../../core/json-path.js';
import { costOfTime, NO_EDITS, NO_PLAN_REPAIR, planStageOnly, type RunRecord } from './record.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * A record of an earlier version as one of today; anything else stays as it is, for the schema to judge.
 *
 * `record@3` had the violations of a plan that was repaired elsewhere, and no improvements, programs or due dates.
 * `record@2` knew no rounds of repairs and no variant in which planners judge themselves. `record@1` had the edits of an execution twice, and its metrics under other names. It grew over time:
 * before there were stages nothing came after a plan, and there were no executions, models or synthetic
 * plans to tell of.
 */
export function upgradeRecord(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (value.schema === 'alas-jssp/record@1')
    return upgradeThird(upgradeSecond(upgradeFirst(value)));
  if (value.schema === 'alas-jssp/record@2') return upgradeThird(upgradeSecond(value));
  return value.schema === 'alas-jssp/record@3' ? upgradeThird(value) : value;
}

function upgradeThird({ repair, llm, violations, ...record }: Json): Json {
  const { violations: before, ...rest } = part(repair);
  const isPlanRepair = isObject(repair) && part(part(record.stages).repair).feasible !== undefined;
  const unknown = { answer_files: [], requests: null, decoding: null };
  return {
    objective: 'makespan',
    tardiness: null,
    claimed_lower_bound: null,
    contradiction: null,
    root_causes: null,
    improvements: [],
    process: null,
    answer_elapsed_seconds: null,
    ...record,
    schema: 'alas-jssp/record@4' satisfies RunRecord['schema'],
    violations: isPlanRepair ? (before ?? null) : violations,
    repair: isObject(repair) ? rest : repair,
    llm: isObject(llm) ? { ...unknown, ...llm } : llm,
  };
}

function upgradeSecond({ repair, llm, ...record }: Json): Json {
  return {
    ...record,
    repair: isObject(repair) ? { rounds: null, ...repair } : repair,
    llm: isObject(llm) ? { self_verdict: null, ...llm } : llm,
  };
}

function upgradeFirst(value: Json): Json {
  const { disruption, repair, seconds, tokens } = value;
  return {
    synthetic: false,
    method: null,
    llm: null,
    answer_seconds: null,
    ...value,
    stages: upgradeStages(value),
    repair: isObject(repair) ? upgradeRepair(repair, disruption) : repair,
    disruption: isObject(disruption) ? upgradeDisruption(disruption) : (disruption ?? null),
    tokens: isObject(tokens) ? { estimated: false, ...tokens } : tokens,
    seconds: isObject(seconds) ? { execute: null, ...seconds } : seconds,
  };
}

function upgradeStages(record: Json): unknown {
  const { stages, status, feasible, makespan, gap_percent } = record;
  const upgrade = (stage: unknown) => (isObject(stage) ? { ...costOfTime(null), ...stage } : stage);
  if (!isObject(stages)) {
    if (stages !== undefined) return stages;
    const plan = status === 'error' ? null : upgrade({ feasible, makespan, gap_percent });
    return planStageOnly(plan as RunRecord['stages']['plan']);
  }
  return Object.fromEntries(Object.entries(stages).map(([name, stage]) => [name, upgrade(stage)]));
}

function upgradeRepair(repair: Json, disruption: unknown): Json {
  const { edited, earlier_units = null } = part(part(disruption).totals);
  const { start_changes = null, rank_changes = null } = upgradeEdited(edited);
  const edits = { start_changes, rank_changes, wip_units: earlier_units };
  return { ...NO_PLAN_REPAIR, ...NO_EDITS, ...repair, ...edits };
}

function upgradeDisruption(disruption: Json): Json {
  const { steps, totals, outcome } = disruption;
  return {
    ...disruption,
    steps: Array.isArray(steps) ? steps.map(upgradeMetrics) : steps,
    totals,
    outcome: upgradeMetrics(outcome),
  };
}

/** The metrics of a step, or of the outcome. */
function upgradeMetrics(value: unknown): Json {
  const { edited, starts, sequences, ...rest } = part(value);
  const { compared, sum, mean, max, earlier, earlier_units } = part(starts);
  return {
    ...rest,
    ...upgradeEdited(edited),
    compared,
    shift_total: sum,
    shift_mean: mean,
    shift_max: max,
    wip_moves: earlier,
    wip_units: earlier_units,
    ...part(sequences),
  };
}

function upgradeEdited(value: unknown): Json {
  const { operations, starts, ranks, jobs, machines, fraction, radius } = part(value);
  return {
    edited_operations: operations,
    edited_jobs: jobs,
    edited_machines: machines,
    edited_fraction: fraction,
    edit_radius: radius,
    start_changes: starts,
    rank_changes: ranks,
  };
}

/** A value that should be an object, as one. */
function part(value: unknown): Json {
  return isObject(value) ? value : {};
}
