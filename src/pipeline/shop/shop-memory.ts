import { AlasError, InputError } from '../../core/errors.js';
import { once } from '../../core/once.js';
import { sha256 } from '../../core/sha256.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import { parseInstance } from '../../jssp/formats/read-instance.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { advanceStatus, type Status, updateStatus } from '../../lcrp/phases/status.js';
import type { Json, LogEntry, LogStore } from '../../workflow/index.js';
import { referTo } from '../step-values.js';
import { byInstant, readLoggedEvents } from './news.js';
import { paceTime } from './pace.js';
import type {
  FindInstance,
  Happening,
  Settlement,
  ShopInput,
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

/** Versions of a shop that are kept in memory; older ones are made again from the log. */
const KEPT = 8;

/** The log of shops as their memory reads it: any store is one. */
export type ShopLog = Pick<LogStore, 'read'>;

/** The shops of a log, as far as they are in memory: by run and version, warm. */
export interface ShopMemory {
  /** The input of a run, and its instance as the plan was made for it. */
  baseOf(runId: string): ShopBase;
  /** A version: from memory, or made again from what the log says. */
  versionOf(runId: string, version: number): ShopVersion;
  /** The version that was followed at a time, as the log tells. O(log). */
  versionAt(runId: string, time: number): number;
  /**
   * The time at which an approval was given or denied, or ran out, by the clock of the shop; undefined if it has none, or
   * nobody was asked.
   */
  decidedAt(runId: string, approval: string): number | undefined;
  /** The effect of an instant on the version that it came to. */
  statusOf(runId: string, happened: Happening): Status;
  /**
   * The starts of an earlier version in the numbers that operations have in a later one; −1 for
   * operations that it did not know.
   */
  earlierStarts(runId: string, earlier: number, later: number): Int32Array;
  /** The schedule of a proposal, if it is at hand. */
  proposed(proposal: ShopProposal): Schedule | undefined;
  noteProposed(proposal: ShopProposal, schedule: Schedule): void;
  /**
   * The shop without a report, for an instant that withdraws it.
   *
   * @throws InputError `built_upon`
   */
  restored(runId: string, instant: Withdrawing): RestoredShop;
  /**
   * The report that made a version.
   *
   * @param followed the version that is followed: a log may tell of later ones
   * @throws InputError `no_report` where no report made it, or it was withdrawn
   */
  reportOf(runId: string, version: number, followed: number): WithdrawnReport;
  /** Keeps the effect of an instant for who asks for it next. */
  noteStatus(happened: Happening, status: Status): void;
  /** Adds a version that is followed from now on. */
  keep(runId: string, version: ShopVersion): void;
  /** Readies a run whose input is known before its log is. */
  open(runId: string, input: ShopInput, instance?: Instance): ShopBase;
}

/** The beginning of a shop. */
interface ShopBase {
  readonly input: ShopInput;
  readonly instance: Instance;
  /** Version 1. */
  readonly first: ShopVersion;
  /** The events that were given beforehand, by the time at which they become known. */
  instants(): ReturnType<typeof byInstant<DisruptionEvent>>;
}

/** An instant that withdraws a report from the version that is followed. */
interface Withdrawing {
  readonly version: number;
  readonly now: number;
  readonly withdraws: Pick<WithdrawnReport, 'version'>;
}

/**
 * Instants by the version that each made, while one thing is computed: each withdrawal looks back over those before
 * it, and would compute them again.
 */
type Course = Map<number, PastInstant>;

interface KnownRun {
  readonly base: ShopBase;
  readonly versions: Map<number, ShopVersion>;
}

/**
 * Makes an empty memory over a log. Of a run it reads the first entry and the ends (`EndNode`) of `status`,
 * `propose` and `commit`: a log of these alone will do.
 *
 * @param find finds an instance that a run only names
 * @throws AlasError, of what it gives, `no_run`, `no_version`, `damaged_log`
 */
export function createShopMemory(store: ShopLog, find: FindInstance = notFound): ShopMemory {
  const runs = new Map<string, KnownRun>();
  // The last effects: a handler asks for what another one has just made.
  const statuses = new WeakMap<Happening, Status>();
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
      for (const { happened, settled } of patchesOf(store, runId)) {
        if (settled.version > later) break;
        if (settled.version <= earlier) continue;
        const { oldOf } = memory.statusOf(runId, happened).applied;
        const before = starts;
        starts = oldOf.map((op) => (op < 0 ? -1 : before[op]));
      }
      return starts;
    },
    noteStatus: (happened, status) => void statuses.set(happened, status),
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
      for (const { happened, settled } of patchesOf(store, runId)) {
        if (happened.now > time) break;
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
    statusOf(runId, happened) {
      const known = statuses.get(happened);
      if (known !== undefined) return known;
      const { schedule } = memory.versionOf(runId, happened.version);
      const status = effectOf(runId, schedule, happened);
      statuses.set(happened, status);
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
    if (past !== undefined) return { version, now: past.happened.now, schedule: past.schedule };
    const earlier = newestBefore(versions, version) ?? base.first;
    const made = version === 1 ? base.first : remake(runId, earlier, version, course);
    memory.keep(runId, made);
    return made;
  };
  const restoredIn = (
    runId: string,
    { version, now, withdraws }: Withdrawing,
    course: Course,
  ): RestoredShop => {
    const withdrawn = [withdraws.version];
    let first = withdraws.version;
    for (const { happened } of [...patchesUpTo(store, runId, version)].reverse()) {
      if (happened.withdraws === undefined) continue;
      withdrawn.push(happened.withdraws.version);
      if (happened.version >= first - 1) first = Math.min(first, happened.withdraws.version);
    }
    const from = versionIn(runId, first - 1, course);
    return restoreShop([...courseOf(runId, from, version, course)], withdrawn, now);
  };
  /** The instants after a version, up to another one, with the schedules that they made. */
  function* courseOf(runId: string, from: ShopVersion, to: number, course?: Course) {
    let { schedule } = from;
    for (const { happened, proposal, settled } of patchesUpTo(store, runId, to)) {
      const { version } = settled;
      if (version <= from.version) continue;
      const followed = schedule;
      schedule =
        course?.get(version)?.schedule ??
        scheduleOf(effectOf(runId, followed, happened, course), proposal);
      if (fingerprint(schedule) !== settled.sha256) {
        const message = `version ${version} of ${runId} is not what its log says; it was made by another version of this software`;
        throw new AlasError('damaged_log', message, version);
      }
      const past = { version, happened, followed, schedule };
      course?.set(version, past);
      yield past;
    }
  }
  /** Makes a version again by applying the patches from an earlier one up to it. */
  const remake = (
    runId: string,
    from: ShopVersion,
    version: number,
    known?: Course,
  ): ShopVersion => {
    const course = known ?? (hasWithdrawal(store, runId, version) ? new Map() : undefined);
    for (const { version: made, happened, schedule } of courseOf(runId, from, version, course)) {
      if (made === version) return { version, now: happened.now, schedule };
    }
    throw new AlasError('no_version', `the shop ${runId} has no version ${version}`, version);
  };
  /** The effect of an instant on a schedule. */
  const effectOf = (
    runId: string,
    schedule: Schedule,
    happened: Happening,
    course: Course = new Map(),
  ): Status => {
    const { events, now, toldAt = now, withdraws } = happened;
    const read = readLoggedEvents(events, schedule.instance, toldAt);
    const told = { schedule, events: read, now: toldAt };
    const status =
      withdraws === undefined
        ? updateStatus(told, { tooLate: 'skip' })
        : withdrawalStatus(
            restoredIn(runId, { ...happened, withdraws, now: toldAt }, course),
            schedule,
            told,
            { tooLate: 'skip' },
          );
    return toldAt === now ? status : advanceStatus(status, now);
  };
  return memory;
}

/** When an approval was given or denied, or ran out: milliseconds since 1970. */
function decisionOf(store: ShopLog, runId: string, approval: string): number | undefined {
  const eventTypes = ['Approve', 'Deny', 'AwaitApproval'] as const;
  for (const { ts, eventType, payload } of store.read({ runId, eventTypes, descending: true })) {
    const { name, until } = payload as { name?: string; until?: number };
    if (name === approval) return eventType === 'AwaitApproval' ? until : Date.parse(ts);
  }
  return undefined;
}

/** The schedule that a proposal makes of the shop in execution. */
export function scheduleOf({ task, before }: Status, proposal: ProposedPatch): Schedule {
  const start = before.start.slice();
  proposal.operations.forEach((op, i) => {
    start[op] = proposal.starts[i];
  });
  return createSchedule(task.instance, start);
}

type ProposedPatch = Pick<ShopProposal, 'operations' | 'starts'>;

/** The start of the SHA-256 of the starts of a schedule. */
export function fingerprint({ start }: Schedule): string {
  return sha256(new Uint8Array(start.buffer, start.byteOffset, start.byteLength)).slice(0, 16);
}

/** The commit of a version, with all that led to it. */
interface VersionPatch {
  readonly happened: Happening;
  readonly proposal: ShopProposal;
  readonly settled: Extract<Settlement, { settled: true; version: number }>;
  /** The entry that committed it. */
  readonly entry: LogEntry;
}

type Declined = Exclude<Settlement, { version: number }>;

/** The patches of versions, in their order, as the log of a run tells them. */
function* patchesOf(store: ShopLog, runId: string): Generator<VersionPatch> {
  let happened: Happening | undefined;
  let proposal: ShopProposal | undefined;
  for (const entry of store.read({ runId, eventTypes: ['EndNode'] })) {
    const step = stepOf(entry.nodeId);
    const { output } = entry.payload as { output?: Json };
    if (step === 'status') happened = output as unknown as Happening;
    if (step === 'propose') proposal = output as unknown as ShopProposal;
    if (step === 'decline') happened = (output as unknown as Declined).happened;
    if (step !== 'commit' || happened === undefined || proposal === undefined) continue;
    const settled = output as unknown as Settlement;
    if (!('version' in settled)) {
      happened = settled.happened;
      continue;
    }
    yield { happened, proposal, settled, entry };
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
  for (const { happened } of patchesUpTo(store, runId, version)) {
    if (happened.withdraws !== undefined) return true;
  }
  return false;
}

/** The report that made a version. @throws InputError `no_report` */
function findReport(patches: Iterable<VersionPatch>, version: number): WithdrawnReport {
  let report: Happening | undefined;
  for (const { happened, settled } of patches) {
    if (settled.version === version) report = happened;
    if (happened.withdraws?.version !== version) continue;
    const problem = `the report of version ${version} was withdrawn already, with version ${settled.version}`;
    const facts = { version, withdrawn: settled.version };
    throw new InputError('no_report', problem, 'report what is different now', {}, version, facts);
  }
  if (report !== undefined && report.events.length > 0) return { version, events: report.events };
  const what = { undo: 'an undoing', propose: 'starts proposed by hand' }[report?.kind as string];
  const problem =
    version === 1
      ? 'version 1 is the plan, and no report made it'
      : report === undefined
        ? `there is no version ${version}`
        : `no report made version ${version}, but ${what ?? 'a withdrawal'}`;
  const hint = 'give the version that the mistaken report made';
  throw new InputError('no_report', problem, hint, {}, version, { version });
}

/** The step of an instant of a shop at a path: `propose` of `given[3]/repair[0]/propose`. */
export function stepOf(nodeId: string): string {
  const isInstant = nodeId.startsWith('given[') || nodeId.startsWith('living[');
  return isInstant ? nodeId.slice(nodeId.lastIndexOf('/') + 1) : '';
}

/** The newest of some versions before another. */
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
  const message = `${name} has other numbers than the one that the log speaks of; name the file that was run`;
  throw new AlasError('other_numbers', message, name);
}

function notFound({ name }: { readonly name: string }): never {
  const message = `the log does not hold the instance ${name}; name its file`;
  throw new AlasError('no_instance', message, name);
}
