import type { AppliedEvents, ApplyOptions, DisruptionEvent } from '../../disruption/index.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import { wordsOf } from '../../jssp/words.js';
import { type Status, updateStatus } from '../../lcrp/phases/status.js';
import type { Json } from '../../workflow/index.js';
import { logEvents, loggedFacts, readLoggedEvents, refusalOf } from './news.js';
import { fromNowOn } from './pace.js';
import { readRow } from './row-names.js';
import type { ShopMemory } from './shop-memory.js';
import type { Happening, ShopNews, ShopState, WithdrawnReport } from './shop-values.js';
import { requireNotBuiltUpon, withdrawalStatus } from './withdrawing.js';

/** The memory of a shop, and who is told of events that come too late. */
export interface HappeningWorld {
  readonly memory: ShopMemory;
  readonly onSkip?: ((late: AppliedEvents['skipped']) => void) | undefined;
}

/**
 * The next instant of a shop: of the events that were given beforehand, or what a message tells. What
 * comes too late is skipped, and what makes no sense is refused, in words; neither changes anything.
 */
export function happen(
  world: HappeningWorld,
  runId: string,
  state: ShopState,
  news: ShopNews | undefined,
): Happening {
  const { memory } = world;
  const { version } = state;
  const { schedule } = memory.versionOf(runId, version);
  const { input } = memory.baseOf(runId);
  const effect = effectIn(memory, runId);
  const by = news?.by ?? null;
  const blank: Happening = {
    kind: 'nothing',
    ...{ version, now: state.now, events: [], skipped: [], by, started: [], lost: 0 },
    ...noteOf(news),
    changed: false,
  };
  if (news === undefined) {
    const instant = memory.baseOf(runId).instants()[state.taken];
    if (instant === undefined) return blank;
    const [now, events] = instant;
    return takeEffect(world, effect, { ...blank, kind: 'events', now }, schedule, events);
  }
  if ('close' in news) return { ...blank, kind: 'close' };
  // News that waited while a proposal did come late in a shop whose time passes by itself, and count all the same.
  const now = input.clock ? Math.max(news.now, state.now) : news.now;
  const told: Happening = { ...blank, kind: kindOf(news), now };
  const events = 'events' in news ? news.events : [];
  const refuse = (refusal: RefusalReason): Happening => {
    const refused: readonly Json[] = 'events' in news ? events : [news as unknown as Json];
    const skipped = refused.map((event) => ({ event, ...refusal }));
    const withdraws = 'withdraw' in news ? { version: news.withdraw, events: [] } : undefined;
    return { ...told, now: state.now, skipped, ...(withdraws && { withdraws }) };
  };
  if (now < state.now) {
    const already = wordsOf(schedule.instance).time(state.now);
    const reason = `it is ${already} already; give ${already} or later`;
    return refuse({ code: 'bad_now', facts: { last: state.now }, reason });
  }
  try {
    if ('undo' in news) {
      if (news.undo >= version) {
        const reason = `there is nothing after version ${news.undo} to undo`;
        return refuse({ code: 'nothing_to_undo', facts: { version: news.undo }, reason });
      }
      return takeEffect(world, effect, { ...told, undo: news.undo }, schedule, []);
    }
    if ('propose' in news) {
      const fault = proposalFault(news, schedule, version);
      if (fault !== undefined) return refuse(fault);
      return takeEffect(world, effect, { ...told, propose: news.propose }, schedule, []);
    }
    if ('withdraw' in news) {
      const { withdraws, status } = effectOfWithdrawal(memory, runId, { ...news, version, now });
      return noteEffect(world, { ...told, withdraws }, schedule, status);
    }
    const read = readLoggedEvents(events, schedule.instance, now);
    const timely = news.now < now ? read.map((event) => fromNowOn(event, now)) : read;
    const row = readRow(news.row);
    const chosen = row === undefined || row === 'shop' ? told : { ...told, row };
    return takeEffect(world, effect, chosen, schedule, timely);
  } catch (error) {
    return refuse(refusalOf(error));
  }
}

function kindOf(news: Exclude<ShopNews, { close: true }>): Happening['kind'] {
  if ('undo' in news) return 'undo';
  return 'propose' in news ? 'propose' : 'events';
}

/** A report that is to be withdrawn from the version that is followed, and events in its place. */
interface Withdrawing
  extends Pick<Extract<ShopNews, { withdraw: number }>, 'withdraw' | 'instead'> {
  readonly version: number;
  readonly now: number;
}

/**
 * The withdrawal of a report, with its effect on the version that is followed.
 *
 * @throws InputError `no_report`, `built_upon`, and as `applyEvents` does for the events in its place
 */
export function effectOfWithdrawal(
  memory: ShopMemory,
  runId: string,
  { version, now, withdraw, instead = [] }: Withdrawing,
): { readonly withdraws: WithdrawnReport; readonly status: Status } {
  const { schedule } = memory.versionOf(runId, version);
  const withdraws = memory.reportOf(runId, withdraw, version);
  const restored = memory.restored(runId, { version, now, withdraws });
  const read = readLoggedEvents(instead, restored.shop.instance, now);
  const events = read.map((event) => fromNowOn(event, now));
  const status = withdrawalStatus(restored, schedule, { events, now }, effectIn(memory, runId));
  requireNotBuiltUpon(status);
  return { withdraws, status };
}

/** Events that come too late are skipped in a shop. */
function effectIn(memory: ShopMemory, runId: string): ApplyOptions {
  const { estimates } = memory.baseOf(runId).input.policy;
  return { tooLate: 'skip', breakdownEstimate: estimates.breakdown };
}

/** Of who told of it: the role, the key and the digest, if they gave any. */
function noteOf(news: ShopNews | undefined): Pick<Happening, 'role' | 'key' | 'asked'> {
  const { role, key, asked } = news ?? {};
  return { ...(role && { role }), ...(key && { key }), ...(asked && { asked }) };
}

/** Lets events take effect, and says what has started by then. */
function takeEffect(
  world: HappeningWorld,
  effect: ApplyOptions,
  happened: Happening,
  schedule: Schedule,
  events: readonly DisruptionEvent[],
): Happening {
  const { now } = happened;
  return noteEffect(world, happened, schedule, updateStatus({ schedule, events, now }, effect));
}

function noteEffect(
  { memory, onSkip }: HappeningWorld,
  happened: Happening,
  schedule: Schedule,
  status: Status,
): Happening {
  const { kind, withdraws } = happened;
  const { applied } = status;
  onSkip?.(applied.skipped);
  const skipped = applied.skipped.map(({ event, reason }) => ({
    event: logEvents([event], applied.instance)[0],
    reason: reason.problem,
    ...loggedFacts(reason),
  }));
  const changed = kind !== 'events' || withdraws !== undefined || applied.events.length > 0;
  if (!changed) return { ...happened, skipped };
  const made: Happening = {
    ...happened,
    events: logEvents(applied.events, schedule.instance),
    skipped,
    started: startedSince(schedule, status),
    lost: applied.lost.length,
    changed,
  };
  memory.noteStatus(made, status);
  return made;
}

/** The operations of a schedule that have started since it came to be followed: nothing rewrites them. */
function startedSince({ instance }: Schedule, { applied, task }: Status): number[] {
  const { frozen } = task.instance;
  const started: number[] = [];
  for (let op = 0; op < instance.operations; op++) {
    const newNumber = applied.newOf[op];
    const isStarted = newNumber >= 0 && frozen !== null && frozen[newNumber] >= 0;
    if (isStarted && (instance.frozen === null || instance.frozen[op] < 0)) started.push(op);
  }
  return started;
}

/** An instant at a later time: until then the floor has gone on without a repair. */
export function goOn(
  memory: ShopMemory,
  runId: string,
  happened: Happening,
  now: number,
): Happening {
  const later: Happening = { ...happened, now, toldAt: happened.toldAt ?? happened.now };
  const status = memory.statusOf(runId, later);
  const { schedule } = memory.versionOf(runId, happened.version);
  const made = { ...later, started: startedSince(schedule, status) };
  memory.noteStatus(made, status);
  return made;
}

/** Why starts that somebody proposes are no proposal for a version, if so. */
function proposalFault(
  { propose }: Extract<ShopNews, { propose: unknown }>,
  { instance }: Schedule,
  followed: number,
): RefusalReason | undefined {
  const { version, operations, starts } = propose;
  if (version !== followed) {
    const reason = `it is made for version ${version}, and version ${followed} is followed`;
    return { code: 'other_version', facts: { version, followed }, reason };
  }
  const code = 'bad_start';
  if (!Array.isArray(operations) || !Array.isArray(starts) || operations.length !== starts.length) {
    return { code, reason: 'it needs as many starts as operations' };
  }
  const isKnown = (op: number) => Number.isInteger(op) && op >= 0 && op < instance.operations;
  const unknown = operations.find((op) => !isKnown(op));
  if (unknown !== undefined) return { code, reason: `there is no operation ${unknown}` };
  const wrong = starts.find((start) => !Number.isInteger(start) || start < 0 || start >= 2 ** 30);
  return wrong === undefined ? undefined : { code, reason: `${wrong} is no start` };
}
