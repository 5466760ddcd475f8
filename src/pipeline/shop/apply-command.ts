import { AlasError } from '@alas-jssp/core/errors';
import { type ApplyContext, loggedFacts, type WithdrawnReport } from '@alas-jssp/living-plan';
import type { AppliedEvents, ApplyOptions, DisruptionEvent } from '../../disruption/index.js';
import type { Schedule } from '../../jssp/schedule.js';
import { type Status, updateStatus } from '../../lcrp/phases/status.js';
import { logEvents, readLoggedEvents } from './log-values.js';
import { withLoggedModes } from './logged-modes.js';
import { fromNowOn } from './pace.js';
import { readRow } from './row-names.js';
import type { ShopMemory } from './shop-memory.js';
import type { ShopCommand, ShopInstant, ShopKind } from './shop-values.js';
import {
  findReport,
  requireNotBuiltUpon,
  restoreWithout,
  withdrawalStatus,
} from './withdrawing.js';

/** Receives events that come too late. */
export type OnSkip = (late: AppliedEvents['skipped']) => void;

/** Applies the next events given in advance. Events that come too late are skipped. */
export function applyGiven(context: ApplyContext<ShopKind>, onSkip?: OnSkip): ShopInstant {
  const { memory, runId, state, plan, instant } = context;
  const [now, events] = memory.baseOf(runId).instants()[state.taken];
  const given = { ...instant, now };
  return noteEffect(memory, given, plan.schedule, statusAfter(context, given, events), onSkip);
}

/** Applies a command to a shop. @throws AlasError if it is invalid */
export function applyCommand(
  command: Exclude<ShopCommand, { close: true }>,
  context: ApplyContext<ShopKind>,
  onSkip?: OnSkip,
): ShopInstant {
  const { memory, runId, state, plan, instant } = context;
  const { now } = instant;
  const { schedule } = plan;
  const note = (made: ShopInstant, status = statusAfter(context, made, [])) =>
    noteEffect(memory, made, schedule, status, onSkip);
  if ('undo' in command) return note({ ...instant, undo: command.undo });
  if ('propose' in command) {
    requireStarts(command, schedule, state.version);
    return note({ ...instant, propose: command.propose });
  }
  if ('withdraw' in command) {
    const { version } = state;
    const { withdraws, status } = effectOfWithdrawal(memory, runId, { ...command, version, now });
    return note({ ...instant, withdraws }, status);
  }
  const read = readLoggedEvents(command.events, schedule.instance, now);
  const timely = command.now < now ? read.map((event) => fromNowOn(event, now)) : read;
  const row = readRow(command.row);
  const chosen = row === undefined || row === 'shop' ? instant : { ...instant, row };
  return note(chosen, statusAfter(context, chosen, timely));
}

/** The effect of events. */
function statusAfter(
  { memory, runId, plan: { schedule } }: ApplyContext<ShopKind>,
  { now }: ShopInstant,
  events: readonly DisruptionEvent[],
): Status {
  return updateStatus({ schedule, events, now }, applyOptions(memory, runId));
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
  const history = memory.historyOf(runId);
  const withdraws = findReport(history.patchesTo(version), withdraw);
  const restored = restoreWithout(history, { version, now, withdraws });
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

/** Notes the effect of an instant: skipped events, and the operations that have started by then. */
function noteEffect(
  memory: ShopMemory,
  instant: ShopInstant,
  schedule: Schedule,
  status: Status,
  onSkip?: OnSkip,
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
  memory.noteEffect(made, status);
  return made;
}

/** The operations that have started since the schedule was adopted; nothing can change them. */
export function startedSince({ instance }: Schedule, { applied, task }: Status): number[] {
  const { frozen } = task.instance;
  const started: number[] = [];
  for (let op = 0; op < instance.operations; op++) {
    const newNumber = applied.newOf[op];
    const isStarted = newNumber >= 0 && frozen !== null && frozen[newNumber] >= 0;
    if (isStarted && (instance.frozen === null || instance.frozen[op] < 0)) started.push(op);
  }
  return started;
}

/** Checks manually proposed starts of a version. @throws AlasError `other_version`, `bad_start`, `bad_mode` */
function requireStarts(
  { propose }: Extract<ShopCommand, { propose: unknown }>,
  { instance }: Schedule,
  followed: number,
): void {
  const { version, operations, starts, modes } = propose;
  if (version !== followed) {
    const reason = `it is made for version ${version}, and version ${followed} is followed`;
    throw new AlasError('other_version', reason, version, { version, followed });
  }
  const badStart = (reason: string) => new AlasError('bad_start', reason, propose);
  if (!Array.isArray(operations) || !Array.isArray(starts) || operations.length !== starts.length) {
    throw badStart('it needs as many starts as operations');
  }
  const isKnown = (op: number) => Number.isInteger(op) && op >= 0 && op < instance.operations;
  const unknown = operations.find((op) => !isKnown(op));
  if (unknown !== undefined) throw badStart(`there is no operation ${unknown}`);
  const wrong = starts.find((start) => !Number.isInteger(start) || start < 0 || start >= 2 ** 30);
  if (wrong !== undefined) throw badStart(`${wrong} is no start`);
  withLoggedModes(instance, operations, modes);
}
