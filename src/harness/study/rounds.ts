import type { RunRecord } from '../records/record.js';
import { groupBy, mean, present, sum } from '../statistics/descriptive.js';

/** Records after a number of repair rounds: the error rate for each repair iteration (Figure 5 of the paper). */
export interface RoundRow {
  readonly planner: string;
  readonly synthetic: boolean;
  readonly variant: string;
  /** 0 for the plans themselves. */
  readonly round: number;
  /** Records with a known plan and rounds, and records that had this round. */
  readonly records: number;
  readonly ran: number;
  /** Records with violations after the round, and per 100 records. */
  readonly wrong: number;
  readonly error_percent: number;
  /** Mean violations of a record after the round. */
  readonly violations: number;
  /** Means over the records that had the round; null for the plans themselves. */
  readonly edited_operations: number | null;
  readonly edit_radius: number | null;
}

type Round = NonNullable<NonNullable<RunRecord['repair']>['rounds']>[number];

/** A record with the violations after each of its rounds, those of its plan first. */
interface Way {
  readonly record: RunRecord;
  readonly rounds: readonly Round[];
  readonly violations: readonly number[];
}

/**
 * The repair rounds of the records of runs, by planner and variant. A feasible plan needs no round and counts as right
 * after each. If a round of a model makes the plan worse, its result is discarded. Records without a validated plan or
 * without rounds are omitted.
 */
export function summarizeRounds(records: readonly RunRecord[]): RoundRow[] {
  // Methods that execute the same schedule share its repair.
  const key = ({ planner, variant, instance, replicate }: RunRecord) =>
    JSON.stringify([planner, variant, instance, replicate]);
  const ways = present([...groupBy(records, key).values()].map(([record]) => wayOf(record)));
  const groups = groupBy(ways, ({ record: { planner, variant } }) => `${planner}\n${variant}`);
  return [...groups.values()].flatMap((group) => {
    const most = Math.max(...group.map(({ rounds }) => rounds.length));
    return Array.from({ length: most + 1 }, (_, round) => rowOf(group, round));
  });
}

function wayOf(record: RunRecord): Way | null {
  const { stages, repair, violations: last } = record;
  if (stages.plan === null) return null;
  if (stages.plan.feasible) return { record, rounds: [], violations: [0] };
  const rounds = repair?.rounds ?? [];
  // A plan without a repair keeps its violations.
  const kept = repair === null && last !== null ? sum(Object.values(last)) : null;
  const first = rounds[0]?.violations_before ?? kept;
  if (first === null) return null;
  const violations = [first];
  for (const { by, violations_after: after } of rounds) {
    const before = violations[violations.length - 1];
    violations.push(by === 'llm' ? Math.min(before, after) : after);
  }
  return { record, rounds, violations };
}

function rowOf(group: readonly Way[], round: number): RoundRow {
  const [{ record }] = group;
  const after = group.map(({ violations }) => violations[Math.min(round, violations.length - 1)]);
  const made = round === 0 ? [] : present(group.map(({ rounds }) => rounds[round - 1] ?? null));
  const wrong = after.filter((count) => count > 0).length;
  return {
    planner: record.planner,
    synthetic: record.synthetic,
    variant: record.variant,
    round,
    records: group.length,
    ran: round === 0 ? group.length : made.length,
    wrong,
    error_percent: (100 * wrong) / group.length,
    violations: mean(after) ?? 0,
    edited_operations: mean(made.map((one) => one.edited_operations)),
    edit_radius: mean(present(made.map((one) => one.edit_radius))),
  };
}
