import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { describeFound } from '@alas-jssp/core/json-path';
import { requireApproval, requireName, requireSignal } from '../interpreter/known-names.js';
import { entriesOfMessages, messageFault, outlivesEnd } from '../interpreter/messages.js';
import { isUnsettled, type RunState } from '../interpreter/state.js';
import type { Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import type { LogStore } from '../log/store.js';
import type { Lease, Release } from '../log/tables.js';
import { unchangedState } from './followed-run.js';
import { isAtRest, isOwnerGone, newOwner } from './owner.js';

/** The delivery of a message to a run. */
export interface Delivery {
  /** The number of the message in the inbox. */
  readonly id: number;
  /**
   * True if the run had no owner and its log now holds the message; a worker or `resumeRun`
   * continues the run. False if the owner of the run will process it.
   */
  readonly delivered: boolean;
}

/** For how long a sender owns a run in order to write a message into its log. */
const MOMENT = 30_000;

/**
 * Gives an approval for which a run waits or will wait.
 *
 * @param by the person who approves
 * @throws AlasError `no_run`; InputError `changed_log`, `run_ended`, `no_approval`, `not_approver`
 */
export function approve(
  store: LogStore,
  runId: string,
  name: string,
  by: string,
  clock: Clock = systemClock,
): Delivery {
  const check = ({ workflow }: RunState) => requireApproval(workflow, name, by);
  return postMessage(store, runId, 'approve', { name, by }, clock, check);
}

/**
 * Denies an approval: the task that waits for it fails with the code `Denied`.
 *
 * @throws as {@link approve}
 */
export function deny(
  store: LogStore,
  runId: string,
  name: string,
  by: string,
  reason: string,
  clock: Clock = systemClock,
): Delivery {
  const check = ({ workflow }: RunState) => requireApproval(workflow, name, by);
  return postMessage(store, runId, 'deny', { name, by, reason }, clock, check);
}

/**
 * Cancels a run: its effects are undone.
 *
 * @throws AlasError `no_run`; InputError `changed_log`, `run_ended`
 */
export function cancelRun(
  store: LogStore,
  runId: string,
  { by, reason }: { readonly by: string; readonly reason: string },
  clock: Clock = systemClock,
): Delivery {
  return postMessage(store, runId, 'cancel', { by, reason }, clock);
}

/**
 * Settles whether an effect exists that is in doubt, or that could not be undone. When the last
 * doubt of an ended run is settled, or an effect that it lists as remaining does not exist, the run
 * opens again: the next owner undoes or commits, and ends it for good.
 *
 * @param nodeId the path of the node that made the effect
 * @throws AlasError `no_run`; InputError `changed_log`, `no_doubt`
 */
export function settleEffect(
  store: LogStore,
  runId: string,
  nodeId: string,
  { happened, by }: { readonly happened: boolean; readonly by: string },
  clock: Clock = systemClock,
): Delivery {
  return postMessage(store, runId, 'settle', { nodeId, happened, by }, clock, (state) =>
    requireUnsettled(state, nodeId),
  );
}

/** A named message to a run. */
export interface NamedSignal {
  readonly name: string;
  /** Must match the schema of the message. Default null. */
  readonly data?: Json | undefined;
  readonly by?: string | undefined;
}

/**
 * Sends a message for which a node of the run waits, or that its workflow lists under `signals`.
 *
 * @throws AlasError `no_run`; InputError `changed_log`, `run_ended`, `no_signal`, `bad_data`
 */
export async function signalRun(
  store: LogStore,
  runId: string,
  { name, data = null, by }: NamedSignal,
  clock: Clock = systemClock,
): Promise<Delivery> {
  const state = unchangedState(store, runId);
  requireOpen(state);
  requireMessage('signal', { name, data, ...(by !== undefined && { by }) });
  await requireFit(state.workflow, name, data);
  const signal = by === undefined ? { name, data } : { name, data, by };
  return postMessage(store, runId, 'signal', signal, clock);
}

/**
 * Puts a message into the inbox of a run. If the run has no owner, the sender owns it for a moment
 * and writes the inbox into its log.
 *
 * @param check rejects messages that are invalid for the run
 * @throws AlasError `no_run`; InputError `changed_log`, `run_ended`
 */
function postMessage(
  store: LogStore,
  runId: string,
  kind: string,
  data: { readonly [key: string]: Json },
  clock: Clock,
  check: (state: RunState) => void = () => {},
): Delivery {
  const state = unchangedState(store, runId);
  if (!outlivesEnd(kind)) requireOpen(state);
  requireMessage(kind, data);
  check(state);
  const id = store.post({ runId, ts: isoTime(clock.now()), kind, data });
  return { id, delivered: deliver(store, runId, clock) };
}

/**
 * Rejects a message with missing members, or one that no log could hold.
 *
 * @throws InputError `bad_message`, `not_json`
 */
export function requireMessage(kind: string, data: { readonly [key: string]: unknown }): void {
  const fault = messageFault(kind, data);
  if (fault !== undefined) {
    const [name, type] = fault;
    const problem = `a message '${kind}' whose '${name}' is ${describeFound(data[name])}`;
    throw new InputError('bad_message', problem, `give a ${type}`, {}, data[name]);
  }
  canonicalJson(data);
}

function requireOpen({ runId, end }: RunState): void {
  if (end === undefined) return;
  const problem = `the run ${runId} has ended (${end.status}): it accepts no more messages`;
  throw new InputError('run_ended', problem, 'name a run that has not ended', {}, runId);
}

/** Writes the inbox of a run into its log, unless the run has an owner. */
function deliver(store: LogStore, runId: string, clock: Clock): boolean {
  const now = clock.now();
  const until = now + MOMENT;
  const answer = store.acquire({ runId, owner: newOwner(), now, until, isGone: isOwnerGone });
  if (answer.status !== 'owned') return false;
  const { lease, before } = answer;
  const { token } = lease;
  const asBefore = releaseAsBefore(before, lease, now);
  try {
    const messages = store.messages(runId, lease.taken);
    const state = unchangedState(store, runId);
    const entries = entriesOfMessages(state, messages, isoTime(now));
    const taken = messages.at(-1)?.id ?? lease.taken;
    const release = { ...asBefore, taken, quiet: isAtRest(store, before) };
    if (entries.length === 0) store.release(runId, token, release);
    else store.append(entries, { token, release: { ...release, wakeAt: now } });
    return true;
  } catch (error) {
    store.release(runId, token, asBefore);
    throw error;
  }
}

/** The release after a momentary ownership: as before, or due if the owner was gone. */
function releaseAsBefore(before: Lease | undefined, { taken, quiet }: Lease, now: number): Release {
  if (before === undefined) return { wakeAt: null, taken, quiet };
  return { wakeAt: before.owner === null ? before.wakeAt : now, taken, quiet };
}

/** Rejects settling an effect that is neither in doubt nor one that could not be undone. */
function requireUnsettled({ effects, runId }: RunState, nodeId: string): void {
  const open = [...effects].filter(([, effect]) => isUnsettled(effect)).map(([path]) => path);
  if (open.length === 0) {
    const problem = `nothing is in doubt in the run ${runId}, and no undo has failed`;
    throw new InputError('no_doubt', problem, 'see alas-jssp log show', {}, nodeId);
  }
  const problem = `no effect of a node '${nodeId}' is in doubt or could not be undone in the run ${runId}`;
  requireName(open, nodeId, 'no_doubt', problem);
}

/** Rejects a message that the workflow does not declare, or whose data do not match its schema. */
async function requireFit(workflow: Workflow, name: string, data: Json): Promise<void> {
  const schema = requireSignal(workflow, name);
  if (schema === true) return;
  // The library is slow to load.
  const { createSchemaChecks } = await import('../validation/schema-check.js');
  const [error] = createSchemaChecks(workflow.schemas)(schema)(data);
  if (error === undefined) return;
  const hint = `give data that fit the schema of ${name}`;
  throw new InputError('bad_data', `the data of ${name} do not fit: ${error}`, hint, {}, data);
}
