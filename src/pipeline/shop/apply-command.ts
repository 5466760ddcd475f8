import type { Json } from '@alas-jssp/workflow';
import type { AppliedEvents, ApplyOptions, DisruptionEvent } from '../../disruption/index.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import { wordsOf } from '../../jssp/words.js';
import { type Status, updateStatus } from '../../lcrp/phases/status.js';
import { logEvents, loggedFacts, readLoggedEvents, refusalOf } from './log-values.js';
import { fromNowOn } from './pace.js';
import { readRow } from './row-names.js';
import type { ShopMemory } from './shop-memory.js';
import type { ShopCommand, ShopInstant, ShopState, WithdrawnReport } from './shop-values.js';
import { requireNotBuiltUpon, withdrawalStatus } from './withdrawing.js';

/** The memory of shops, and a listener for events that come too late. */
export interface CommandServices {
  readonly memory: ShopMemory;
  /** Receives events that come too late. */ readonly onSkip?:
    | ((late: AppliedEvents['skipped']) => void)
    | undefined;
}

/**
 * Applies the next command to a shop, or the next events given in advance if there is none. Events that come too
 * late are skipped and invalid commands are refused with a reason; neither changes anything.
 */
export function applyNextCommand(
  world: CommandServices,
  runId: string,
  state: ShopState,
  command: ShopCommand | undefined,
): ShopInstant {
  const { memory } = world;
  const { version } = state;
  const { schedule } = memory.versionOf(runId, version);
  const { input } = memory.baseOf(runId);
  const options = applyOptions(memory, runId);
  const by = command?.by ?? null;
  const blank: ShopInstant = {
    kind: 'nothing',
    version,
    now: state.now,
    events: [],
    skipped: [],
    by,
    started: [],
    lost: 0,
    ...metaOf(command),
    changed: false,
  };
  if (command === undefined) {
    const instant = memory.baseOf(runId).instants()[state.taken];
    if (instant === undefined) return blank;
    const [now, events] = instant;
    return applyAt(world, options, { ...blank, kind: 'events', now }, schedule, events);
  }
  if ('close' in command) return { ...blank, kind: 'close' };
  // In a shop with a clock, a command that was queued behind a proposal applies at the time by then.
  const now = input.clock ? Math.max(command.now, state.now) : command.now;
  const applied: ShopInstant = { ...blank, kind: kindOf(command), now };
  const events = 'events' in command ? command.events : [];
  const refuse = (refusal: RefusalReason): ShopInstant => {
    const refused: readonly Json[] = 'events' in command ? events : [command as unknown as Json];
    const skipped = refused.map((event) => ({ event, ...refusal }));
    const withdraws = 'withdraw' in command ? { version: command.withdraw, events: [] } : undefined;
    return { ...applied, now: state.now, skipped, ...(withdraws && { withdraws }) };
  };
  if (now < state.now) {
    const already = wordsOf(schedule.instance).time(state.now);
    const reason = `it is ${already} already; give ${already} or later`;
    return refuse({ code: 'bad_now', facts: { last: state.now }, reason });
  }
  try {
    if ('undo' in command) {
      if (command.undo >= version) {
        const reason = `there is nothing after version ${command.undo} to undo`;
        return refuse({ code: 'nothing_to_undo', facts: { version: command.undo }, reason });
      }
      return applyAt(world, options, { ...applied, undo: command.undo }, schedule, []);
    }
    if ('propose' in command) {
      const fault = proposalFault(command, schedule, version);
      if (fault !== undefined) return refuse(fault);
      return applyAt(world, options, { ...applied, propose: command.propose }, schedule, []);
    }
    if ('withdraw' in command) {
      const { withdraws, status } = effectOfWithdrawal(memory, runId, { ...command, version, now });
      return noteEffect(world, { ...applied, withdraws }, schedule, status);
    }
    const read = readLoggedEvents(events, schedule.instance, now);
    const timely = command.now < now ? read.map((event) => fromNowOn(event, now)) : read;
    const row = readRow(command.row);
    const chosen = row === undefined || row === 'shop' ? applied : { ...applied, row };
    return applyAt(world, options, chosen, schedule, timely);
  } catch (error) {
    return refuse(refusalOf(error));
  }
}

function kindOf(command: Exclude<ShopCommand, { close: true }>): ShopInstant['kind'] {
  if ('undo' in command) return 'undo';
  return 'propose' in command ? 'propose' : 'events';
}

/** The report to withdraw from the followed version, and the events that replace it. */
interface WithdrawRequest
  extends Pick<Extract<ShopCommand, { withdraw: number }>, 'withdraw' | 'instead'> {
  readonly version: number;
  readonly now: number;
}

/**
 * The withdrawal of a report, and its effect on the followed version.
 *
 * @throws InputError `no_report`, `built_upon`, and as `applyEvents` does for the replacing events
 */
export function effectOfWithdrawal(
  memory: ShopMemory,
  runId: string,
  { version, now, withdraw, instead = [] }: WithdrawRequest,
): { readonly withdraws: WithdrawnReport; readonly status: Status } {
  const { schedule } = memory.versionOf(runId, version);
  const withdraws = memory.reportOf(runId, withdraw, version);
  const restored = memory.restored(runId, { version, now, withdraws });
  const read = readLoggedEvents(instead, restored.shop.instance, now);
  const events = read.map((event) => fromNowOn(event, now));
  const status = withdrawalStatus(restored, schedule, { events, now }, applyOptions(memory, runId));
  requireNotBuiltUpon(status);
  return { withdraws, status };
}

/** The options to apply events in a shop: events that come too late are skipped. */
function applyOptions(memory: ShopMemory, runId: string): ApplyOptions {
  const { estimates } = memory.baseOf(runId).input.policy;
  return { tooLate: 'skip', breakdownEstimate: estimates.breakdown };
}

/** The defined metadata of a command. */
function metaOf(command: ShopCommand | undefined): Pick<ShopInstant, 'role' | 'key' | 'digest'> {
  const { role, key, digest } = command ?? {};
  return { ...(role && { role }), ...(key && { key }), ...(digest && { digest }) };
}

/** Applies events, and records the operations that have started by then. */
function applyAt(
  world: CommandServices,
  options: ApplyOptions,
  instant: ShopInstant,
  schedule: Schedule,
  events: readonly DisruptionEvent[],
): ShopInstant {
  const { now } = instant;
  return noteEffect(world, instant, schedule, updateStatus({ schedule, events, now }, options));
}

function noteEffect(
  { memory, onSkip }: CommandServices,
  instant: ShopInstant,
  schedule: Schedule,
  status: Status,
): ShopInstant {
  const { kind, withdraws } = instant;
  const { applied } = status;
  onSkip?.(applied.skipped);
  const skipped = applied.skipped.map(({ event, reason }) => ({
    event: logEvents([event], applied.instance)[0],
    reason: reason.problem,
    ...loggedFacts(reason),
  }));
  const changed = kind !== 'events' || withdraws !== undefined || applied.events.length > 0;
  if (!changed) return { ...instant, skipped };
  const made: ShopInstant = {
    ...instant,
    events: logEvents(applied.events, schedule.instance),
    skipped,
    started: startedSince(schedule, status),
    lost: applied.lost.length,
    changed,
  };
  memory.noteStatus(made, status);
  return made;
}

/** The operations that have started since the schedule was adopted; nothing can change them. */
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

/** Defers an instant: until the later time, the floor executes the plan without a repair. */
export function deferInstant(
  memory: ShopMemory,
  runId: string,
  instant: ShopInstant,
  now: number,
): ShopInstant {
  const later: ShopInstant = { ...instant, now, reportedAt: instant.reportedAt ?? instant.now };
  const status = memory.statusOf(runId, later);
  const { schedule } = memory.versionOf(runId, instant.version);
  const made = { ...later, started: startedSince(schedule, status) };
  memory.noteStatus(made, status);
  return made;
}

/** Why manually proposed starts are invalid for a version; undefined if they are valid. */
function proposalFault(
  { propose }: Extract<ShopCommand, { propose: unknown }>,
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
