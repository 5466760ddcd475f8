import type { Clock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import type { LogStore } from '@alas-jssp/workflow';
import type { DisruptionEvent } from 'alas-jssp/disruption';
import { findKind, fromNowOn, kindOf, paceTime } from 'alas-jssp/internal/service';
import type { Shop } from 'alas-jssp/shop';
import type { ReportRequest } from '../api/shop-schemas.js';
import { readWireEvents, readWireTime, wireTime } from '../api/wire.js';

/** A shop of the library, with its log and settings. */
export interface KeptShopParts {
  readonly id: string;
  readonly shop: Shop;
  readonly store: LogStore;
  readonly clock: Clock;
  /** The time of its first entry, in milliseconds since 1970. */
  readonly began: number;
  /** The most operations, including those of arriving jobs. */
  readonly mostOperations?: number | undefined;
  /** Time limit of a repair, in seconds. */
  readonly seconds: number;
  /** The id of the last change. */
  lastChange(): number;
  /**
   * Resolves when an instant is settled, a proposal waits for approval, or the shop has ended.
   *
   * @throws the error that interrupted the run of the shop
   */
  nextChange(): Promise<void>;
}

/** The time of a shop, and the times of its requests. */
export interface ShopTime {
  /** The current time, in units of the shop. */
  now(): number;
  /**
   * Reads the time of a command. Default: the time of the clock, or else that of the last instant.
   *
   * @throws InputError `bad_time`; `bad_now` for a time before the last instant or in the future
   */
  read(given: unknown): number;
  /**
   * Reads the events of a report and its time; default: the time of the clock, or else the latest `at`.
   *
   * @throws InputError as `readWireEvents` does, `bad_now`, `too_many_operations`
   */
  readReport(request: ReportRequest): {
    readonly now: number;
    readonly events: readonly DisruptionEvent[];
  };
  /** Reads the events of a report at a time. @throws InputError as {@link ShopTime.readReport} does */
  readEvents(events: ReportRequest['events'], at: number): readonly DisruptionEvent[];
}

/** The tolerated difference to the clocks of clients and latency of requests, in wall-clock seconds. */
const MOST_SECONDS_OFF = 60;

/** Creates the time of a shop. */
export function createShopTime(
  parts: Pick<KeptShopParts, 'shop' | 'clock' | 'began' | 'mostOperations'>,
): ShopTime {
  const { shop, clock, began, mostOperations } = parts;
  const scale = () => shop.schedule.instance.timeScale;
  const byClock = () =>
    shop.story.end === null
      ? paceTime(shop.story.input?.clock, clock.now() - began, scale())
      : undefined;
  const tolerance = () => {
    const { speed = 1 } = shop.story.input?.clock ?? {};
    return Math.ceil((MOST_SECONDS_OFF * speed) / (scale()?.unit ?? 1));
  };
  const readNow = (given: unknown): number => {
    const time = readWireTime(scale(), given, ['now']);
    const shown = byClock();
    if (shown === undefined || time <= shown + tolerance()) return time;
    const problem = `now is ${wireTime(scale(), time)}, and the clock of the shop shows ${wireTime(scale(), shown)}`;
    throw new InputError('bad_now', problem, 'omit now, or give a time that is not in the future');
  };
  const requireInTime = (time: number): number => {
    if (time >= shop.now) return time;
    const last = wireTime(scale(), shop.now);
    const problem = `it comes too late: now is ${wireTime(scale(), time)}, and the shop is at ${last} already`;
    const hint = `give ${last} or later, or omit now and at`;
    const facts = { last: shop.now, scale: scale() };
    throw new InputError('bad_now', problem, hint, {}, time, facts);
  };
  const now = () => Math.max(shop.now, byClock() ?? 0);
  const reportedAt = ({ events, now: given }: ReportRequest): number => {
    if (given !== undefined) return readNow(given);
    if (byClock() !== undefined) return now();
    const ats = events.flatMap(({ at }, i) =>
      at === undefined ? [] : [readWireTime(scale(), at, ['events', i, 'at'])],
    );
    return ats.length > 0 ? Math.max(...ats) : shop.now;
  };
  const readEvents = (given: ReportRequest['events'], at: number): DisruptionEvent[] => {
    const slack = byClock() === undefined ? 0 : tolerance();
    const { instance } = shop.schedule;
    const begun = given.map((event) => (lacksBegin(event) ? { ...event, from: at } : event));
    const events = readWireEvents(instance, begun, at);
    requireRoom(instance.operations, events, mostOperations);
    return events.map((event) => notBefore(event, at, slack));
  };
  return {
    now,
    read: (given) => (given === undefined ? now() : requireInTime(readNow(given))),
    readEvents,
    readReport(request) {
      const at = requireInTime(reportedAt(request));
      return { now: at, events: readEvents(request.events, at) };
    },
  };
}

/** @throws InputError `too_many_operations` */
function requireRoom(
  operations: number,
  events: readonly DisruptionEvent[],
  most = Infinity,
): void {
  let total = operations;
  for (const [i, event] of events.entries()) {
    if (event.kind === 'arrival') total += event.job.operations.length;
    if (total <= most) continue;
    const problem = `the shop would have ${total} operations`;
    const path = `$.events[${i}].job.operations`;
    throw new InputError('too_many_operations', problem, `at most ${most} are allowed here`, {
      path,
    });
  }
}

/** Whether an event that lasts for some time has no begin: it begins when it is reported. */
function lacksBegin(event: ReportRequest['events'][number]): boolean {
  return findKind(event.kind)?.lasts === true && event.from === undefined;
}

/** Moves an event that began shortly before its arrival at a shop with a clock: it begins now. */
function notBefore(event: DisruptionEvent, now: number, slack: number): DisruptionEvent {
  return beginOf(event, now) >= now - slack ? fromNowOn(event, now) : event;
}

/** The time at which the effect of an event begins. */
function beginOf(event: DisruptionEvent, now: number): number {
  return kindOf(event).begin?.(event) ?? now;
}
