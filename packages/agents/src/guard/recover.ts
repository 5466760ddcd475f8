import { hostname } from 'node:os';
import type { Clock } from '@alas-jssp/core/clock';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import {
  compensateRun,
  isOwnerGone,
  type Json,
  type LogStore,
  newOwner,
  type Registry,
  resumeRun,
  settleEffect,
  stateOfRun,
} from '@alas-jssp/workflow';
import type { Environment } from '../tools/bearer-token.js';
import type { BlobStore } from './compensation.js';
import { applyRules, type GuardCatalogue } from './guarded-tool.js';
import { investigate } from './investigate.js';
import { toGuardPolicy } from './policy.js';
import { type GuardReport, isClean, reportOf } from './report.js';
import { openMcpServers } from './servers/mcp-server.js';
import { endProcess } from './servers/process-transport.js';
import type { GuardServer, ServerProcess, ServerSpec } from './servers/server.js';
import { GUARD_PROCESS, GUARD_WORKFLOW } from './session/commands.js';
import { GUARD_NAME, type SessionInput } from './session/session.js';
import { createSessionReader, type SessionReader } from './session/session-log.js';
import { type StepWorld, sessionRegistry } from './session/session-steps.js';
import { compileValidators } from './session/validators.js';

/** The log in which sessions are taken back, and the means for it. */
export interface RecoveryOptions {
  readonly store: LogStore;
  readonly blobs: BlobStore;
  readonly catalogue: GuardCatalogue;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Servers of this process, for sessions whose servers have neither a command nor an address. */
  readonly connected?: readonly GuardServer[] | undefined;
  /** Only these sessions. Default: all. */
  readonly sessions?: readonly string[] | undefined;
  /** Whether undos that failed and calls in doubt are tried again. Default: false. */
  readonly again?: boolean | undefined;
}

/**
 * Takes back the sessions whose guard has ended without ending them. A session whose guard may still
 * live is left alone.
 *
 * @returns the reports of the sessions that were taken back, or could not be
 */
export async function recoverSessions(options: RecoveryOptions): Promise<GuardReport[]> {
  const { store, sessions = store.runs() } = options;
  const reports: GuardReport[] = [];
  for (const runId of sessions) {
    if (!needsRecovery(options, runId)) continue;
    const report = await recoverSession(options, runId);
    if (report !== undefined) reports.push(report);
  }
  return reports;
}

/** Whether a run is a session of a guard that is not over. */
export function isOpenSession(store: LogStore, runId: string): boolean {
  if (!isSession(store, runId)) return false;
  const reader = createSessionReader(runId);
  reader.take(store.read({ runId }));
  return reader.state.end === undefined;
}

function isSession(store: LogStore, runId: string): boolean {
  const [first] = store.read({ runId, to: 0 });
  const { workflow } = (first?.payload ?? {}) as { workflow?: { name?: string } };
  return workflow?.name === GUARD_WORKFLOW;
}

/**
 * Whether a run is a session that is not over and has no owner that may still live.
 *
 * @param mine the present owner, if that is the recovery itself
 */
function needsRecovery(
  { store, again = false, clock }: RecoveryOptions,
  runId: string,
  mine?: string,
): boolean {
  if (!isSession(store, runId)) return false;
  const lease = store.leaseOf(runId);
  if (lease?.owner != null && lease.owner !== mine && !isOwnerGone(lease.owner)) {
    // Another process of this host lives; one of another host may, until its lease is over.
    const isElsewhere = again && lease.until <= clock.now() && !isOfThisHost(lease.owner);
    if (!isElsewhere) return false;
  }
  const reader = createSessionReader(runId);
  reader.take(store.read({ runId }));
  if (reader.state.end === undefined) return true;
  return again && !isClean(reportOf(runId, reader.state, reader.calls()));
}

function isOfThisHost(owner: string): boolean {
  return owner.split('/')[0] === hostname();
}

/** How long a recovery owns a session before it resumes its run, in milliseconds. */
const LONGEST = 600_000;

/**
 * Takes back one session. Only its owner ends processes: of guards that recover it at the same time
 * one becomes the owner, and no other touches it.
 *
 * @returns undefined if another process owns it, or has finished it meanwhile
 */
async function recoverSession(
  options: RecoveryOptions,
  runId: string,
): Promise<GuardReport | undefined> {
  const { store, clock } = options;
  const mine = newOwner();
  const now = clock.now();
  const isGone = (owner: string) => owner === mine || isOwnerGone(owner);
  const request = { runId, owner: mine, now, until: now + LONGEST, isGone };
  const answer = store.acquire(request);
  if (answer.status !== 'owned') return undefined;
  const { lease, before } = answer;
  const { token, taken, quiet } = lease;
  const opened: GuardServer[] = [];
  const reader = createSessionReader(runId);
  let problem: string | undefined;
  try {
    if (!needsRecovery(options, runId, mine)) return undefined;
    reader.take(store.read({ runId }));
    await endProcesses(reader);
    const world = await openWorld(options, reader, opened);
    await takeBack({ ...options, isGone }, reader, sessionRegistry(world), runId);
    await settleDoubts(world, reader, runId, clock);
  } catch (error) {
    problem = errorLine(error);
  } finally {
    // Does nothing if the run was continued, which has ended this ownership.
    const wakeAt = before?.owner === null ? before.wakeAt : clock.now();
    store.release(runId, token, { wakeAt, taken, quiet });
    for (const server of opened) await server.close().catch(() => {});
  }
  reader.take(store.read({ runId, from: reader.state.versions }));
  const report = reportOf(runId, reader.state, reader.calls());
  return problem === undefined
    ? report
    : { ...report, reason: `it was not taken back: ${problem}` };
}

/** Ends the processes in which calls of a session may still act. */
async function endProcesses({ state, processes }: SessionReader): Promise<void> {
  const input = state.input as unknown as SessionInput;
  const all = [...input.processes, ...processes] as readonly { process: ServerProcess }[];
  for (const { process } of all) {
    if (await endProcess(process, false)) continue;
    const message = `the server of the session, process ${process.pid}, may still act; end it first`;
    throw new AlasError('still_acting', message, process);
  }
}

/** The servers and rules of a session, from its log. */
async function openWorld(
  { store, blobs, catalogue, environment, clock, connected = [] }: RecoveryOptions,
  { state }: SessionReader,
  opened: GuardServer[],
): Promise<StepWorld> {
  const input = state.input as unknown as SessionInput;
  const { runId } = state;
  const policy = toGuardPolicy(input.policy);
  const specs = input.servers as unknown as readonly ServerSpec[];
  const isOwn = ({ command, http }: ServerSpec) => command === undefined && http === undefined;
  const noteProcess = (server: string) => (process: ServerProcess) => {
    const data = { name: GUARD_PROCESS, data: { server, process } };
    const message = { runId, ts: isoTime(clock.now()), kind: 'signal', data };
    store.post(message as unknown as Parameters<LogStore['post']>[0]);
  };
  opened.push(
    ...(await openMcpServers(
      specs.filter((spec) => !isOwn(spec)),
      ({ name }) => ({ environment, onProcess: noteProcess(name) }),
    )),
  );
  const servers = specs.flatMap((spec) => {
    const known = isOwn(spec) ? connected : opened;
    return known.filter((server) => server.spec.name === spec.name).slice(0, 1);
  });
  const tools = applyRules(servers, policy, catalogue);
  const byName = new Map(servers.map((server) => [server.spec.name, server]));
  const validators = compileValidators(policy, store);
  return { store, blobs, policy, servers: byName, tools, validators, clock };
}

/** Takes an unfinished session back, or tries again what could not be taken back. */
async function takeBack(
  { store, clock, isGone }: RecoveryOptions & { readonly isGone: (owner: string) => boolean },
  reader: SessionReader,
  registry: Registry,
  runId: string,
): Promise<void> {
  // A committed session keeps what it has done: it only ends, and receives late answers.
  if (reader.isCommitted()) {
    await resumeRun(store, runId, { registry, clock, isGone });
    return;
  }
  if (reader.state.end === undefined) {
    const reason = 'the guard has ended without ending the session';
    const data: Json = { reason, by: GUARD_NAME };
    store.post({ runId, ts: isoTime(clock.now()), kind: 'cancel', data });
    await resumeRun(store, runId, { registry, clock, isGone });
    return;
  }
  await compensateRun(store, runId, GUARD_NAME, { registry, clock, isGone });
}

/**
 * Settles the doubts of a session that has ended, where the state shows whether a call has acted;
 * what is found then is taken back, unless the session was committed.
 */
export async function settleDoubts(
  world: StepWorld,
  reader: SessionReader,
  runId: string,
  clock: Clock,
): Promise<void> {
  const { store } = world;
  const readOn = () => reader.take(store.read({ runId, from: reader.state.versions }));
  readOn();
  let settled = false;
  const settle = (nodeId: string, happened: boolean) => {
    settleEffect(store, runId, nodeId, { happened, by: GUARD_NAME }, clock);
    settled = true;
  };
  for (const record of reader.calls()) {
    if (record.status !== 'in-doubt') continue;
    await investigate(world, { runId, reader, settle }, record);
  }
  // A run whose last doubt is settled opens again, to end for good.
  if (settled && stateOfRun(store, runId).end === undefined) {
    await resumeRun(store, runId, { registry: sessionRegistry(world), clock });
  }
  readOn();
}
