import { isoTime } from '@alas-jssp/core/iso-time';
import { formatCommand, formatTurn, type Sentences, storyWords } from 'alas-jssp/internal/service';
import { totalWeightedTardiness } from 'alas-jssp/jssp';
import type { Shop } from 'alas-jssp/shop';
import type { ShopStateAnswer, ShopSummary } from '../api/shop-schemas.js';
import { wireTime, wireWarnings } from '../api/wire.js';
import { lateJobs } from './late-jobs.js';
import { machineStates, wireDowntime } from './machine-states.js';
import { causeOfTurn, costOfRepair, objectiveOfShop } from './outcome-answer.js';

/** The status of a shop by the status of its ended run. */
export function statusOfEnd(status: string): ShopSummary['status'] {
  return status === 'COMPLETED' ? 'closed' : 'failed';
}

/** The summary of a shop at a time. */
export function shopSummary(shop: Shop, id: string, now: number): ShopSummary {
  const { instance, makespan } = shop.schedule;
  const { end, waitsFor } = shop.story;
  const { name, timeScale } = instance;
  // Ended shops are listed without being opened, with their initial size.
  const { jobs, machines, operations } =
    end === null ? instance : shop.scheduleAt({ version: 1 }).schedule.instance;
  return {
    id,
    instance: name,
    status: end === null ? 'open' : statusOfEnd(end.status),
    version: shop.version,
    now: wireTime(timeScale, now),
    jobs,
    machines,
    operations,
    objective: objectiveOfShop(shop),
    makespan: wireTime(timeScale, makespan),
    waits_for: waitsFor?.kind ?? null,
  };
}

/** The repair that waits for approval, with its instant. */
function waitingRepair(shop: Shop) {
  const turn = shop.story.turns.at(-1);
  if (shop.story.waitsFor?.kind !== 'approval' || turn?.proposal === undefined) return undefined;
  const repair = shop.repairOf(turn);
  return repair && { repair, turn, method: turn.proposal.method, name: shop.story.waitsFor.name };
}

/** The proposal that waits for approval. */
function proposalAnswer(
  shop: Shop,
  { repair, turn, method, name }: NonNullable<ReturnType<typeof waitingRepair>>,
  sentences: Sentences,
): ShopStateAnswer['proposal'] {
  const words = storyWords(shop.schedule.instance.timeScale, sentences);
  const { objective, makespan, moved, moves, more, late } = costOfRepair(repair, {
    because: causeOfTurn(turn, sentences),
    sentences,
  });
  return {
    name,
    version: turn.instant.version + 1,
    method,
    row: turn.instant.row ?? null,
    objective,
    makespan,
    moved,
    moves,
    more,
    reported_at: turn.instant.now,
    command: formatCommand(turn, words),
    lines: [formatTurn(turn, words)],
    late,
    warnings: wireWarnings(repair.schedule.instance, repair.schedule.makespan, sentences),
    by: turn.instant.by,
  };
}

/** The current state of a shop. */
export function shopState(
  shop: Shop,
  id: string,
  { now, next, wall, lastChange, sentences }: StateOptions,
): ShopStateAnswer {
  const { schedule, story } = shop;
  const { timeScale, jobs, machines, operations, calendar } = schedule.instance;
  const waiting = waitingRepair(shop);
  // A reported machine is down even while the repair waits for approval.
  const known = waiting?.repair.schedule.instance.calendar ?? calendar;
  const speed = story.input?.clock?.speed;
  return {
    ...shopSummary(shop, id, now),
    jobs,
    machines,
    operations,
    time_scale: timeScale,
    clock: speed === undefined ? null : { speed },
    now_units: now,
    at: isoTime(wall),
    machine_states: machineStates(schedule, now, next, {
      known,
      planned: shop.scheduleAt({ version: 1 }).schedule.instance.calendar,
      reported: story.notes,
    }),
    breakdowns: story.notes.filter(({ to }) => to > now).map((one) => wireDowntime(timeScale, one)),
    late: lateJobs(schedule),
    total_weighted_tardiness: totalWeightedTardiness(schedule),
    proposal: waiting === undefined ? null : proposalAnswer(shop, waiting, sentences),
    warnings: wireWarnings(schedule.instance, schedule.makespan, sentences),
    last_change: String(lastChange),
  };
}

/** The time and the extent of a state request. */
interface StateOptions {
  /** The time of the shop. */
  readonly now: number;
  /** The number of next operations per machine. */
  readonly next: number;
  /** The wall-clock time, in milliseconds since 1970. */
  readonly wall: number;
  /** The id of the last change. */
  readonly lastChange: number;
  readonly sentences: Sentences;
}
