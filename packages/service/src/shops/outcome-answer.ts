import {
  describeLostPin,
  formatReason,
  formatRefusal,
  formatTurn,
  type Sentences,
  type ShopRepair,
  storyWords,
  withObjective,
} from 'alas-jssp/internal/service';
import { type Objective, totalWeightedTardiness } from 'alas-jssp/jssp';
import { defaultPolicy } from 'alas-jssp/lcrp';
import type { Shop, ShopTurn } from 'alas-jssp/shop';
import type { LateJob, OutcomeAnswer } from '../api/shop-schemas.js';
import { wireEnds, wireLogged, wireTime, wireWarnings } from '../api/wire.js';
import { lateJobs } from './late-jobs.js';
import { type MoveOptions, type WireMoves, wireMoves } from './moves.js';

/** A value before and after a repair. */
interface Change {
  readonly before: number;
  readonly after: number;
}

/** The cost of a repair: its objective values and moves. */
export interface RepairCost extends WireMoves {
  readonly objective: Objective;
  readonly makespan: ReturnType<typeof wireEnds<number>>;
  readonly total_weighted_tardiness: Change;
  /** The jobs that then end after their due dates. */
  readonly late: LateJob[];
}

/** Computes the cost of a repair. */
export function costOfRepair(repair: ShopRepair, options?: MoveOptions): RepairCost {
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
    ...wireMoves(repair, options),
  };
}

/** The current objective of a shop. */
export function objectiveOfShop({ schedule, story }: Shop): Objective {
  return withObjective(schedule.instance, story.input?.policy ?? defaultPolicy).objective;
}

/** The cause of the moves of an undo, a manual proposal or a withdrawal; undefined for events. */
export function causeOfTurn(turn: ShopTurn, { causes, someone }: Sentences): string | undefined {
  const { kind, undo, by, withdraws, events } = turn.instant;
  if (withdraws !== undefined && events.length === 0) return causes.withdrawal(withdraws.version);
  if (kind === 'undo') return causes.undo(undo ?? 1);
  return kind === 'propose' ? causes.byHand(by ?? someone) : undefined;
}

/** The pins that the proposal of an instant violates, and why. */
function lostPinsOfTurn({ proposal }: ShopTurn, repair: ShopRepair, sentences: Sentences) {
  const { lostPins = [], method = '' } = proposal ?? {};
  return lostPins.map((pin) => describeLostPin(pin, repair.task, method, sentences));
}

/** The outcome of an instant that is settled or whose proposal waits. */
export function outcomeAnswer(
  shop: Shop,
  turn: ShopTurn,
  sentences: Sentences,
  repeated = false,
): OutcomeAnswer {
  const { instant, committed, rolledBack, settled, proposal, changedAt } = turn;
  const { instance } = shop.schedule;
  const repair = committed === undefined && settled ? undefined : shop.repairOf(turn);
  const cost = repair && costOfRepair(repair, { because: causeOfTurn(turn, sentences), sentences });
  const words = storyWords(instance.timeScale, sentences);
  const reasons = [
    ...instant.skipped.map((one) => formatReason(one, words)),
    ...rolledBack.map((one) => formatRefusal(one, words)),
  ];
  return {
    status: statusOf(turn),
    version: committed?.version ?? instant.version,
    now: wireTime(instance.timeScale, instant.now),
    row: instant.row ?? null,
    clamped: [],
    objective: cost?.objective ?? objectiveOfShop(shop),
    makespan: cost?.makespan ?? null,
    total_weighted_tardiness: cost?.total_weighted_tardiness ?? null,
    method: committed?.method ?? proposal?.method ?? null,
    late: cost?.late ?? [],
    moved: cost?.moved ?? 0,
    moves: cost?.moves ?? [],
    more: cost?.more ?? 0,
    skipped: instant.skipped.map((one) => ({
      event: wireLogged(instance, one.event as Record<string, unknown>),
      reason: formatReason(one, words),
    })),
    reasons,
    lines: [formatTurn(turn, words)].filter((line) => line !== ''),
    warnings:
      repair === undefined
        ? []
        : [
            ...wireWarnings(instance, repair.schedule.makespan, sentences),
            ...lostPinsOfTurn(turn, repair, sentences),
          ],
    change: changedAt === undefined ? null : String(changedAt),
    repeated,
  };
}

function statusOf({ settled, committed, rolledBack }: ShopTurn): OutcomeAnswer['status'] {
  if (!settled) return 'waiting';
  if (committed !== undefined) return 'committed';
  return rolledBack.length > 0 ? 'declined' : 'skipped';
}

/** The outcome of a command that is queued behind a proposal, or that ended the shop. */
export function emptyOutcome(
  shop: Shop,
  status: 'queued' | 'failed',
  now: number,
  reasons: readonly string[],
): OutcomeAnswer {
  const { timeScale } = shop.schedule.instance;
  return {
    status,
    version: shop.version,
    now: wireTime(timeScale, now),
    row: null,
    clamped: [],
    objective: objectiveOfShop(shop),
    makespan: null,
    total_weighted_tardiness: null,
    method: null,
    late: [],
    moved: 0,
    moves: [],
    more: 0,
    skipped: [],
    reasons: [...reasons],
    lines: [],
    warnings: [],
    change: null,
    repeated: false,
  };
}
