import { AlasError, InputError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json, LogEntry, LogStore } from '@alas-jssp/workflow';
import type { DisruptionEvent } from '../../disruption/index.js';
import { parseInstance } from '../../jssp/formats/read-instance.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { advanceStatus, type Status, updateStatus } from '../../lcrp/phases/status.js';
import { referTo } from '../step-values.js';
import { byInstant, readLoggedEvents } from './log-values.js';
import { paceTime } from './pace.js';
import type {
  FindInstance,
  Settlement,
  ShopInput,
  ShopInstant,
  ShopProposal,
  ShopVersion,
  WithdrawnReport,
} from './shop-values.js';
import {
  type PastInstant,
  type RestoredShop,
  restoreShop,
  withdrawalStatus,
} from './withdrawing.js';

/** The number of versions of a shop kept in memory; older ones are recomputed from the log. */
const KEPT = 8;

/** The log that the memory of shops reads; any store satisfies it. */
export type ShopLog = Pick<LogStore, 'read'>;

/** The cached shops of a log, by run and version. */
export interface ShopMemory {
  /** The input of a run, and its original instance. */
  baseOf(runId: string): ShopBase;
  /** A version, from memory or recomputed from the log. */
  versionOf(runId: string, version: number): ShopVersion;
  /** The version followed at a time, read from the log. Linear in the length of the log. */
  versionAt(runId: string, time: number): number;
  /**
   * The shop time at which an approval was given, was denied or expired; undefined if the shop has no clock or there
   * was no approval.
   */
  decidedAt(runId: string, approval: string): number | undefined;
  /** The effect of an instant on the version before it. */
  statusOf(runId: string, instant: ShopInstant): Status;
  /**
   * The starts of an earlier version in the operation numbers of a later one; −1 for operations that are new since.
   */
  earlierStarts(runId: string, earlier: number, later: number): Int32Array;
  /** The schedule of a proposal, if cached. */
  proposed(proposal: ShopProposal): Schedule | undefined;
  noteProposed(proposal: ShopProposal, schedule: Schedule): void;
  /**
   * The shop without a report, for the instant that withdraws it.
   *
   * @throws InputError `built_upon`
   */
  restored(runId: string, instant: WithdrawalInstant): RestoredShop;
  /**
   * The report that created a version.
   *
   * @param followed the followed version; later versions of the log are ignored
   * @throws InputError `no_report` if no report created it, or it was withdrawn
   */
  reportOf(runId: string, version: number, followed: number): WithdrawnReport;
  /** Caches the effect of an instant. */
  noteStatus(instant: ShopInstant, status: Status): void;
  /** Caches a version. */
  keep(runId: string, version: ShopVersion): void;
  /** Prepares a run whose input is known before its log exists. */
  open(runId: string, input: ShopInput, instance?: Instance): ShopBase;
}

/** The initial state of a shop. */
interface ShopBase {
  readonly input: ShopInput;
  readonly instance: Instance;
  /** Version 1. */
  readonly first: ShopVersion;
  /** The events given in advance, by the time at which they become known. */
  instants(): ReturnType<typeof byInstant<DisruptionEvent>>;
}

/** An instant that withdraws a report from the followed version. */
interface WithdrawalInstant {
  readonly version: number;
  readonly now: number;
  readonly withdraws: Pick<WithdrawnReport, 'version'>;
}

/**
 * A cache of instants by their versions during one computation: each withdrawal reads the instants before it, and
 * would recompute them.
 */
type Course = Map<number, PastInstant>;

interface KnownRun {
  readonly base: ShopBase;
  readonly versions: Map<number, ShopVersion>;
}

/**
 * Creates an empty memory over a log. Of a run, it reads only the first entry and the `EndNode` entries of `status`,
 * `propose` and `commit`.
 *
 * @param find finds an instance that a run references without its content
 * @throws AlasError, by its methods: `no_run`, `no_version`, `damaged_log`
 */
export function createShopMemory(store: ShopLog, find: FindInstance = notFound): ShopMemory {
  const runs = new Map<string, KnownRun>();
  // Recent effects: a handler often needs the result of the one before.
  const statuses = new WeakMap<ShopInstant, Status>();
  const schedules = new WeakMap<ShopProposal, Schedule>();
  const open = (runId: string, input: ShopInput, given?: Instance): ShopBase => {
    const instance = given ?? instanceOf(input, find);
    const schedule = createSchedule(instance, Int32Array.from(input.start));
    const first = { version: 1, now: 0, schedule };
    const instants = once(() => byInstant(readLoggedEvents(input.events, instance)));
    const base = { input, instance, first, instants };
    runs.set(runId, { base, versions: new Map([[1, first]]) });
    return base;
  };
  const runOf = (runId: string): KnownRun => {
    if (!runs.has(runId)) open(runId, inputInLog(store, runId));
    return runs.get(runId) as KnownRun;
  };
  const memory: ShopMemory = {
    open,
    proposed: (proposal) => schedules.get(proposal),
    noteProposed: (proposal, schedule) => void schedules.set(proposal, schedule),
    earlierStarts(runId, earlier, later) {
      let starts = memory.versionOf(runId, earlier).schedule.start;
      for (const { instant, settled } of patchesOf(store, runId)) {
        if (settled.version > later) break;
        if (settled.version <= earlier) continue;
        const { oldOf } = memory.statusOf(runId, instant).applied;
        const before = starts;
        starts = oldOf.map((op) => (op < 0 ? -1 : before[op]));
      }
      return starts;
    },
    noteStatus: (instant, status) => void statuses.set(instant, status),
    baseOf: (runId) => runOf(runId).base,
    keep(runId, version) {
      const { versions } = runOf(runId);
      versions.delete(version.version);
      versions.set(version.version, version);
      for (const oldest of versions.keys()) {
        if (versions.size <= KEPT) break;
        versions.delete(oldest);
      }
    },
    versionOf: (runId, version) => versionIn(runId, version),
    versionAt(runId, time) {
      let version = 1;
      for (const { instant, settled } of patchesOf(store, runId)) {
        if (instant.now > time) break;
        version = settled.version;
      }
      return version;
    },
    decidedAt(runId, approval) {
      const { input, instance } = runOf(runId).base;
      if (!input.clock) return undefined;
      const decided = decisionOf(store, runId, approval);
      const [first] = store.read({ runId, to: 0 });
      if (decided === undefined) return undefined;
      return paceTime(input.clock, decided - Date.parse(first.ts), instance.timeScale);
    },
    statusOf(runId, instant) {
      const known = statuses.get(instant);
      if (known !== undefined) return known;
      const { schedule } = memory.versionOf(runId, instant.version);
      const status = effectOf(runId, schedule, instant);
      statuses.set(instant, status);
      return status;
    },
    restored: (runId, instant) => restoredIn(runId, instant, new Map()),
    reportOf: (runId, version, followed) =>
      findReport(patchesUpTo(store, runId, followed), version),
  };
  const versionIn = (runId: string, version: number, course?: Course): ShopVersion => {
    const { base, versions } = runOf(runId);
    const known = versions.get(version);
    if (known !== undefined) return known;
    const past = course?.get(version);
    if (past !== undefined) return { version, now: past.instant.now, schedule: past.schedule };
    const earlier = newestBefore(versions, version) ?? base.first;
    const made = version === 1 ? base.first : remake(runId, earlier, version, course);
    memory.keep(runId, made);
    return made;
  };
  const restoredIn = (
    runId: string,
    { version, now, withdraws }: WithdrawalInstant,
    course: Course,
  ): RestoredShop => {
    const withdrawn = [withdraws.version];
    let first = withdraws.version;
    for (const { instant } of [...patchesUpTo(store, runId, version)].reverse()) {
      if (instant.withdraws === undefined) continue;
      withdrawn.push(instant.withdraws.version);
      if (instant.version >= first - 1) first = Math.min(first, instant.withdraws.version);
    }
    const from = versionIn(runId, first - 1, course);
    return restoreShop([...courseOf(runId, from, version, course)], withdrawn, now);
  };
  /** The instants after a version, up to another one, with their schedules. */
  function* courseOf(runId: string, from: ShopVersion, to: number, course?: Course) {
    let { schedule } = from;
    for (const { instant, proposal, settled } of patchesUpTo(store, runId, to)) {
      const { version } = settled;
      if (version <= from.version) continue;
      const followed = schedule;
      schedule =
        course?.get(version)?.schedule ??
        scheduleOf(effectOf(runId, followed, instant, course), proposal);
      if (fingerprint(schedule) !== settled.sha256) {
        const message = `version ${version} of ${runId} does not match its log; another version of this software created it`;
        throw new AlasError('damaged_log', message, version);
      }
      const past = { version, instant, followed, schedule };
      course?.set(version, past);
      yield past;
    }
  }
  /** Recomputes a version by applying the patches since an earlier one. */
  const remake = (
    runId: string,
    from: ShopVersion,
    version: number,
    known?: Course,
  ): ShopVersion => {
    const course = known ?? (hasWithdrawal(store, runId, version) ? new Map() : undefined);
    for (const { version: made, instant, schedule } of courseOf(runId, from, version, course)) {
      if (made === version) return { version, now: instant.now, schedule };
    }
    throw new AlasError('no_version', `the shop ${runId} has no version ${version}`, version);
  };
  /** The effect of an instant on a schedule. */
  const effectOf = (
    runId: string,
    schedule: Schedule,
    instant: ShopInstant,
    course: Course = new Map(),
  ): Status => {
    const { events, now, reportedAt = now, withdraws } = instant;
    const read = readLoggedEvents(events, schedule.instance, reportedAt);
    const report = { schedule, events: read, now: reportedAt };
    const status =
      withdraws === undefined
        ? updateStatus(report, { tooLate: 'skip' })
        : withdrawalStatus(
            restoredIn(runId, { ...instant, withdraws, now: reportedAt }, course),
            schedule,
            report,
            { tooLate: 'skip' },
          );
    return reportedAt === now ? status : advanceStatus(status, now);
  };
  return memory;
}

/** When an approval was given, was denied or expired, in milliseconds since 1970. */
function decisionOf(store: ShopLog, runId: string, approval: string): number | undefined {
  const eventTypes = ['Approve', 'Deny', 'AwaitApproval'] as const;
  for (const { ts, eventType, payload } of store.read({ runId, eventTypes, descending: true })) {
    const { name, until } = payload as { name?: string; until?: number };
    if (name === approval) return eventType === 'AwaitApproval' ? until : Date.parse(ts);
  }
  return undefined;
}

/** Applies a proposal to the shop in execution. */
export function scheduleOf({ task, before }: Status, proposal: ProposedPatch): Schedule {
  const start = before.start.slice();
  proposal.operations.forEach((op, i) => {
    start[op] = proposal.starts[i];
  });
  return createSchedule(task.instance, start);
}

type ProposedPatch = Pick<ShopProposal, 'operations' | 'starts'>;

/** The first 16 hex digits of the SHA-256 of the starts of a schedule. */
export function fingerprint({ start }: Schedule): string {
  return sha256(new Uint8Array(start.buffer, start.byteOffset, start.byteLength)).slice(0, 16);
}

/** The commit of a version, with its instant and proposal. */
interface VersionPatch {
  readonly instant: ShopInstant;
  readonly proposal: ShopProposal;
  readonly settled: Extract<Settlement, { settled: true; version: number }>;
  /** The entry that committed it. */
  readonly entry: LogEntry;
}

type Declined = Exclude<Settlement, { version: number }>;

/** The patches of versions, in order, read from the log of a run. */
function* patchesOf(store: ShopLog, runId: string): Generator<VersionPatch> {
  let instant: ShopInstant | undefined;
  let proposal: ShopProposal | undefined;
  for (const entry of store.read({ runId, eventTypes: ['EndNode'] })) {
    const step = stepOf(entry.nodeId);
    const { output } = entry.payload as { output?: Json };
    if (step === 'status') instant = output as unknown as ShopInstant;
    if (step === 'propose') proposal = output as unknown as ShopProposal;
    if (step === 'decline') instant = (output as unknown as Declined).instant;
    if (step !== 'commit' || instant === undefined || proposal === undefined) continue;
    const settled = output as unknown as Settlement;
    if (!('version' in settled)) {
      instant = settled.instant;
      continue;
    }
    yield { instant, proposal, settled, entry };
  }
}

/** The patches of the versions up to one. */
function* patchesUpTo(store: ShopLog, runId: string, version: number): Generator<VersionPatch> {
  if (version < 2) return;
  for (const patch of patchesOf(store, runId)) {
    yield patch;
    if (patch.settled.version >= version) return;
  }
}

function hasWithdrawal(store: ShopLog, runId: string, version: number): boolean {
  for (const { instant } of patchesUpTo(store, runId, version)) {
    if (instant.withdraws !== undefined) return true;
  }
  return false;
}

/** The report that created a version. @throws InputError `no_report` */
function findReport(patches: Iterable<VersionPatch>, version: number): WithdrawnReport {
  let report: ShopInstant | undefined;
  for (const { instant, settled } of patches) {
    if (settled.version === version) report = instant;
    if (instant.withdraws?.version !== version) continue;
    const problem = `the report of version ${version} was withdrawn already, with version ${settled.version}`;
    const facts = { version, withdrawn: settled.version };
    throw new InputError(
      'no_report',
      problem,
      'report the current differences',
      {},
      version,
      facts,
    );
  }
  if (report !== undefined && report.events.length > 0) return { version, events: report.events };
  const what = { undo: 'an undo', propose: 'starts proposed by hand' }[report?.kind as string];
  const problem =
    version === 1
      ? 'version 1 is the plan, and no report created it'
      : report === undefined
        ? `there is no version ${version}`
        : `${what ?? 'a withdrawal'} created version ${version}, not a report`;
  const hint = 'give the version that the mistaken report created';
  throw new InputError('no_report', problem, hint, {}, version, { version });
}

/** The step of an instant of a shop at a path: `propose` of `given[3]/repair[0]/propose`. */
export function stepOf(nodeId: string): string {
  const isInstant = nodeId.startsWith('given[') || nodeId.startsWith('living[');
  return isInstant ? nodeId.slice(nodeId.lastIndexOf('/') + 1) : '';
}

/** The newest cached version before another. */
function newestBefore(
  versions: ReadonlyMap<number, ShopVersion>,
  version: number,
): ShopVersion | undefined {
  let newest: ShopVersion | undefined;
  for (const one of versions.values()) {
    if (one.version < version && one.version > (newest?.version ?? 0)) newest = one;
  }
  return newest;
}

function inputInLog(store: ShopLog, runId: string): ShopInput {
  for (const { payload } of store.read({ runId, to: 0 })) {
    return (payload as unknown as { input: ShopInput }).input;
  }
  throw new AlasError('no_run', `the log has no run ${runId}`, runId);
}

function instanceOf({ instance: { content, ...reference } }: ShopInput, find: FindInstance) {
  const { name, sha256: wanted } = reference;
  const found =
    content === undefined
      ? find(reference)
      : parseInstance(JSON.stringify({ ...(content as object), name }), { name });
  if (referTo(found).sha256 === wanted) return found;
  const message = `${name} differs from the instance of the log; give the file of that run`;
  throw new AlasError('other_numbers', message, name);
}

function notFound({ name }: { readonly name: string }): never {
  const message = `the log does not contain the instance ${name}; give its file`;
  throw new AlasError('no_instance', message, name);
}
