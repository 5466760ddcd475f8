import { isUnjudged } from '../../pipeline/blueprint/spec.js';
import { geometricPercent, groupBy, mean, present, sum } from '../statistics/descriptive.js';
import { costOfTime, type RecordCost, type RunRecord } from './record.js';

/** The stages in the order of their execution. */
const STAGES = ['plan', 'repair', 'optimize'] as const;

type StageName = (typeof STAGES)[number];
type StageResult = NonNullable<RunRecord['stages'][StageName]>;

/**
 * Results after a stage, for planners that use a model; after `plan` they are those of the model alone, without repair
 * and search. A record that skips a stage keeps the result of the stage before.
 */
export interface StageRow {
  readonly planner: string;
  readonly variant: string;
  readonly stage: StageName;
  /** Number of records, and of those that ran the stage. */
  readonly records: number;
  readonly ran: number;
  /**
   * Records with a feasible schedule after the stage, and per 100 records; null if it was not validated, as in variants
   * without validation.
   */
  readonly feasible: number | null;
  readonly success_percent: number | null;
  /** Means over the feasible records with a known upper bound. */
  readonly gap_percent: number | null;
  readonly geometric_gap_percent: number | null;
  /** Cost of the stage itself, in all records; dollars are null if a price is unknown. */
  readonly tokens: RunRecord['tokens'];
  readonly cost_usd: number | null;
  readonly seconds: number;
  /** Repairs by repairer; null for other stages than the repair. */
  readonly repairs: PlanRepairCounts | null;
}

/** Infeasible plans that were made feasible by the model, and by the repair protocol. */
export interface PlanRepairCounts {
  /** Plans whose repair was requested from a model. */
  readonly asked: number;
  readonly by_model: number;
  readonly by_protocol: number;
}

/** Counts the repaired plans of records, by repairer. */
export function countPlanRepairs(records: readonly RunRecord[]): PlanRepairCounts {
  const repairs = records.filter(
    ({ stages }) => stages.plan?.feasible !== true && stages.repair?.feasible,
  );
  const byModel = repairs.filter(({ repair }) => repair?.by === 'llm').length;
  const asked = records.filter(({ repair }) => (repair?.asked ?? null) !== null).length;
  return { asked, by_model: byModel, by_protocol: repairs.length - byModel };
}

/** The stages of the records of one planner and variant; none if they used no model. */
export function summarizeStages(records: readonly RunRecord[]): StageRow[] {
  const isAsked = records.some(({ llm, tokens }) => llm !== null || tokens.input > 0);
  if (!isAsked) return [];
  // Methods that execute the same schedule share its stages.
  const plans = groupBy(records, ({ instance, replicate }) =>
    JSON.stringify([instance, replicate]),
  );
  const group = [...plans.values()].map(([first]) => first);
  return STAGES.filter((stage) => group.some(({ stages }) => hasRun(stages, stage))).map((stage) =>
    summarizeStage(group, stage),
  );
}

/** Whether a stage ran; the plan stage did even if its plan was not judged. */
function hasRun(stages: RunRecord['stages'], stage: StageName): boolean {
  return stage === 'plan' || stages[stage] !== null;
}

function summarizeStage(group: readonly RunRecord[], stage: StageName): StageRow {
  const { planner, variant } = group[0];
  const isJudged = stage !== 'plan' || !isUnjudged(variant);
  const after = present(group.map((record) => resultAfter(record, stage)));
  const feasible = after.filter((result) => result.feasible);
  const gaps = present(feasible.map(({ gap_percent }) => gap_percent));
  const taken = group.map((record) => takenBy(record, stage));
  const costs = taken.map(({ cost_usd }) => cost_usd);
  return {
    planner,
    variant,
    stage,
    records: group.length,
    ran: group.filter(({ stages }) => stages[stage] !== null).length,
    feasible: isJudged ? feasible.length : null,
    success_percent: isJudged ? (100 * feasible.length) / group.length : null,
    gap_percent: mean(gaps),
    geometric_gap_percent: geometricPercent(gaps),
    tokens: {
      input: sum(taken.map(({ tokens }) => tokens.input)),
      output: sum(taken.map(({ tokens }) => tokens.output)),
      estimated: taken.some(({ tokens }) => tokens.estimated),
    },
    cost_usd: costs.includes(null) ? null : sum(present(costs)),
    seconds: sum(present(taken.map(({ seconds }) => seconds))),
    repairs: stage === 'repair' ? countPlanRepairs(group) : null,
  };
}

/** Result of a stage, or of the last stage before it that ran; null if nothing was validated so far. */
export function resultAfter({ stages }: RunRecord, stage: StageName): StageResult | null {
  const { plan, repair, optimize } = stages;
  if (stage === 'plan') return plan;
  if (stage === 'repair') return repair ?? plan;
  return optimize ?? repair ?? plan;
}

/** Cost of a stage. In a record without a validated plan, the planner's cost is what the other stages leave. */
export function takenBy(record: RunRecord, stage: StageName): RecordCost {
  const { stages, tokens, cost_usd } = record;
  const own = stages[stage];
  if (own !== null) return own;
  return stage === 'plan' ? { tokens, cost_usd, seconds: plannerSeconds(record) } : costOfTime(0);
}

/** Time of a planner whose plan was not validated: that of its answers if it used a model, else the wall-clock time. */
function plannerSeconds({ answer_seconds, seconds, llm }: RunRecord): number | null {
  return llm === null ? seconds.plan : answer_seconds;
}
