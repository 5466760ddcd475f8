import { type Objective, totalWeightedTardiness } from '../../jssp/objectives.js';
import { clockFor } from '../../jssp/shop-clock.js';
import { defaultPolicy, withObjective } from '../../lcrp/policy/policy.js';
import type { Shop, ShopRepair } from '../../pipeline/shop/follow-shop.js';
import type { ShopTurn } from '../../pipeline/shop/story.js';
import { tellRefusal, tellTurn } from '../../pipeline/shop/story-lines.js';
import type { LateJob, OutcomeAnswer } from '../api/shop-schemas.js';
import { wireEnds, wireLogged, wireTime, wireWarnings } from '../api/wire.js';
import { lateJobs } from './late-jobs.js';
import { type WireMoves, wireMoves } from './moves.js';

/** A number before and after. */
interface Change {
  readonly before: number;
  readonly after: number;
}

/** The cost of a repair: what it changed, and what moved. */
export interface RepairCost extends WireMoves {
  readonly objective: Objective;
  readonly makespan: ReturnType<typeof wireEnds<number>>;
  readonly total_weighted_tardiness: Change;
  /** The jobs that end after their due dates then. */
  readonly late: LateJob[];
}

/** The cost of a repair, before and after it. */
export function costOfRepair(repair: ShopRepair, because?: string): RepairCost {
  const { previous, schedule } = repair;
  return {
    objective: repair.policy.objective,
    makespan: wireEnds(schedule.instance.timeScale, {
      before: previous.makespan,
      after: schedule.makespan,
    }),
    total_weighted_tardiness: {
      before: totalWeightedTardiness(previous),
      after: totalWeightedTardiness(schedule),
    },
    late: lateJobs(schedule),
    ...wireMoves(repair, because),
  };
}

/** The objective of the policy of a shop, as it is now. */
export function objectiveOfShop({ schedule, story }: Shop): Objective {
  return withObjective(schedule.instance, story.input?.policy ?? defaultPolicy).objective;
}

/** The cause of moves that no event caused. */
export function causeOfTurn(turn: ShopTurn): string | undefined {
  const { kind, undo, by, withdraws, events } = turn.happened;
  if (withdraws !== undefined && events.length === 0) {
    return `the report of version ${withdraws.version} was withdrawn`;
  }
  if (kind === 'undo') return `the shop goes back to version ${undo}`;
  return kind === 'propose' ? `${by ?? 'somebody'} proposed starts` : undefined;
}

/** The outcome of an instant: of one that is settled, or whose proposal waits. */
export function outcomeAnswer(shop: Shop, turn: ShopTurn, repeated = false): OutcomeAnswer {
  const { happened, committed, rolledBack, settled, proposal, changedAt } = turn;
  const { instance } = shop.schedule;
  const repair = committed === undefined && settled ? undefined : shop.repairOf(turn);
  const cost = repair && costOfRepair(repair, causeOfTurn(turn));
  const reasons = [...happened.skipped.map(({ reason }) => reason), ...rolledBack.map(tellRefusal)];
  return {
    status: statusOf(turn),
    version: committed?.version ?? happened.version,
    now: wireTime(instance.timeScale, happened.now),
    objective: cost?.objective ?? objectiveOfShop(shop),
    makespan: cost?.makespan ?? null,
    total_weighted_tardiness: cost?.total_weighted_tardiness ?? null,
    method: committed?.method ?? proposal?.method ?? null,
    late: cost?.late ?? [],
    moved: cost?.moved ?? 0,
    moves: cost?.moves ?? [],
    more: cost?.more ?? 0,
    skipped: happened.skipped.map(({ event, reason }) => ({
      event: wireLogged(instance, event as Record<string, unknown>),
      reason,
    })),
    reasons,
    lines: [tellTurn(turn, clockFor(instance.timeScale))].filter((line) => line !== ''),
    warnings:
      cost === undefined
        ? []
        : [...wireWarnings(instance, cost.makespan.after), ...(proposal?.lostPins ?? [])],
    change: changedAt === undefined ? null : String(changedAt),
    repeated,
  };
}

function statusOf({ settled, committed, rolledBack }: ShopTurn): OutcomeAnswer['status'] {
  if (!settled) return 'waiting';
  if (committed !== undefined) return 'committed';
  return rolledBack.length > 0 ? 'declined' : 'skipped';
}

/** The outcome of what waits behind a proposal, or after which the shop ended. */
export function emptyOutcome(
  shop: Shop,
  status: 'queued' | 'failed',
  now: number,
  reasons: readonly string[],
): OutcomeAnswer {
  const { timeScale } = shop.schedule.instance;
  return {
    ...{ status, version: shop.version, now: wireTime(timeScale, now) },
    ...{ objective: objectiveOfShop(shop), makespan: null, total_weighted_tardiness: null },
    ...{ method: null, late: [] },
    ...{ moved: 0, moves: [], more: 0, skipped: [], reasons: [...reasons], lines: [] },
    warnings: [],
    ...{ change: null, repeated: false },
  };
}
