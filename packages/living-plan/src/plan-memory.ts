import { AlasError } from '@alas-jssp/core/errors';
import type { Json, LogStore } from '@alas-jssp/workflow';
import type { CommittedVersion, PlanKind, PlanVersion, Settlement } from './plan-values.js';
import { makesVersions, stepOf } from './step-names.js';

/** The number of versions of a plan kept in memory; older ones are recomputed from the log. */
const KEPT = 8;

/** The log that the memory of plans reads; any store satisfies it. */
export type PlanLog = Pick<LogStore, 'read'>;

/** The commit of a version, with its instant and proposal. */
export interface VersionPatch<K extends PlanKind> {
  readonly instant: K['Instant'];
  readonly proposal: K['Proposal'];
  readonly settled: CommittedVersion;
}

/** An instant that created a version, with the plans before and after it. */
export interface PastInstant<K extends PlanKind> {
  readonly version: number;
  readonly instant: K['Instant'];
  readonly before: K['Plan'];
  readonly after: K['Plan'];
}

/** The past of a plan, as the effect of an instant depends on it. */
export interface PlanHistory<K extends PlanKind> {
  /** The patches of the versions up to one, in order. */
  patchesTo(version: number): Iterable<VersionPatch<K>>;
  /** The instants that created the versions after one, up to another. */
  between(after: number, to: number): readonly PastInstant<K>[];
}

/** Decodes a kind of plan from its log. All are pure functions of their arguments. */
export interface PlanCodec<K extends PlanKind> {
  /** Its name in messages and codes of errors, such as `shop`. */
  readonly noun: string;
  /** @param known the world of the plan, if the caller has it in memory */
  open(input: K['Input'], known?: unknown): K['Base'];
  /** The effect of an instant on the version before it. */
  effectOf(plan: K['Plan'], instant: K['Instant'], history: PlanHistory<K>): K['Effect'];
  /** Whether the effect of an instant depends on the instants before it. Default: no. */
  readsHistory?(instant: K['Instant']): boolean;
  /** Applies a proposal to the effect of its instant. */
  patch(effect: K['Effect'], proposal: K['Proposal']): K['Plan'];
  /** A digest of a version. */
  fingerprint(plan: K['Plan']): string;
  /** The time of the plan after some milliseconds since the first entry. Default: the plan has no clock. */
  timeAfter?(base: K['Base'], milliseconds: number): number | undefined;
}

/** The cached plans of a log, by run and version. */
export interface PlanMemory<K extends PlanKind> {
  /** The name of this kind of plan in messages. */
  readonly noun: string;
  /** The input of a run, and its initial state. */
  baseOf(runId: string): K['Base'];
  /** A version, from memory or recomputed from the log. */
  versionOf(runId: string, version: number): PlanVersion<K>;
  /** The version followed at a time, read from the log. Linear in the length of the log. */
  versionAt(runId: string, time: number): number;
  historyOf(runId: string): PlanHistory<K>;
  /**
   * The time of the plan at which an approval was given, was denied or expired; undefined if the plan has no clock or
   * there was no approval.
   */
  decidedAt(runId: string, approval: string): number | undefined;
  /** The effect of an instant on the version before it. */
  effectOf(runId: string, instant: K['Instant']): K['Effect'];
  /** Applies a proposal to the effect of its instant. */
  patch(effect: K['Effect'], proposal: K['Proposal']): K['Plan'];
  /** The plan of a proposal, from memory or recomputed. */
  proposed(runId: string, instant: K['Instant'], proposal: K['Proposal']): K['Plan'];
  fingerprint(plan: K['Plan']): string;
  /** Cache what was computed: the effect of an instant, the plan of a proposal, a version. */
  noteEffect(instant: K['Instant'], effect: K['Effect']): void;
  noteProposed(proposal: K['Proposal'], plan: K['Plan']): void;
  keep(runId: string, version: PlanVersion<K>): void;
  /** Prepares a run whose input is known before its log exists. */
  open(runId: string, input: K['Input'], known?: unknown): K['Base'];
}

/**
 * A cache of instants by their versions during one computation, whose effects may depend on the instants before them
 * and would recompute these.
 */
type Course<K extends PlanKind> = Map<number, PastInstant<K>>;

/**
 * Creates an empty memory over a log. Of a run, it reads only the first entry and those that make versions.
 *
 * @throws AlasError, by its methods: `no_run`, `no_version`, `damaged_log`
 */
export function createPlanMemory<K extends PlanKind>(
  store: PlanLog,
  codec: PlanCodec<K>,
): PlanMemory<K> {
  const runs = new Map<string, { base: K['Base']; versions: Map<number, PlanVersion<K>> }>();
  // Recent effects: a handler often needs the result of the one before.
  const effects = new WeakMap<K['Instant'], K['Effect']>();
  const plans = new WeakMap<K['Proposal'], K['Plan']>();
  const open = (runId: string, input: K['Input'], known?: unknown): K['Base'] => {
    const base = codec.open(input, known);
    runs.set(runId, { base, versions: new Map([[1, base.first as PlanVersion<K>]]) });
    return base;
  };
  const runOf = (runId: string) => {
    if (!runs.has(runId)) open(runId, inputInLog(store, runId));
    return runs.get(runId) as { base: K['Base']; versions: Map<number, PlanVersion<K>> };
  };
  const keep = (runId: string, version: PlanVersion<K>) => {
    const { versions } = runOf(runId);
    versions.delete(version.version);
    versions.set(version.version, version);
    for (const oldest of versions.keys()) {
      if (versions.size <= KEPT) break;
      versions.delete(oldest);
    }
  };
  const historyIn = (runId: string, course: Course<K>): PlanHistory<K> => ({
    patchesTo: (version) => patchesTo<K>(store, runId, version),
    between: (after, to) => [...courseOf(runId, versionIn(runId, after, course), to, course)],
  });
  const effectIn = (runId: string, plan: K['Plan'], instant: K['Instant'], course?: Course<K>) =>
    codec.effectOf(plan, instant, historyIn(runId, course ?? new Map()));
  const versionIn = (runId: string, version: number, course?: Course<K>): PlanVersion<K> => {
    const { base, versions } = runOf(runId);
    const known = versions.get(version);
    if (known !== undefined) return known;
    const past = course?.get(version);
    if (past !== undefined) return { ...past.after, version, now: past.instant.now };
    const first = base.first as PlanVersion<K>;
    const made =
      version === 1
        ? first
        : remake(runId, newestBefore(versions, version) ?? first, version, course);
    keep(runId, made);
    return made;
  };
  /** The instants after a version, up to another one, with their plans. */
  function* courseOf(runId: string, from: PlanVersion<K>, to: number, course?: Course<K>) {
    let plan: K['Plan'] = from;
    for (const { instant, proposal, settled } of patchesTo<K>(store, runId, to)) {
      const { version } = settled;
      if (version <= from.version) continue;
      const before = plan;
      plan =
        course?.get(version)?.after ??
        codec.patch(effectIn(runId, before, instant, course), proposal);
      if (codec.fingerprint(plan) !== settled.sha256) {
        const message = `version ${version} of ${runId} does not match its log; another version of this software created it`;
        throw new AlasError('damaged_log', message, version);
      }
      const past: PastInstant<K> = { version, instant, before, after: plan };
      course?.set(version, past);
      yield past;
    }
  }
  /** Recomputes a version by applying the patches since an earlier one. */
  const remake = (
    runId: string,
    from: PlanVersion<K>,
    version: number,
    known?: Course<K>,
  ): PlanVersion<K> => {
    const course = known ?? (readsHistory(runId, version) ? new Map() : undefined);
    for (const { version: made, instant, after } of courseOf(runId, from, version, course)) {
      if (made === version) return { ...after, version, now: instant.now };
    }
    throw new AlasError(
      'no_version',
      `the ${codec.noun} ${runId} has no version ${version}`,
      version,
    );
  };
  const readsHistory = (runId: string, version: number): boolean => {
    if (codec.readsHistory === undefined) return false;
    for (const { instant } of patchesTo<K>(store, runId, version)) {
      if (codec.readsHistory(instant)) return true;
    }
    return false;
  };
  const effectOf = (runId: string, instant: K['Instant']): K['Effect'] => {
    const known = effects.get(instant);
    if (known !== undefined) return known;
    const effect = effectIn(runId, versionIn(runId, instant.version), instant);
    effects.set(instant, effect);
    return effect;
  };
  return {
    noun: codec.noun,
    open,
    keep,
    effectOf,
    patch: codec.patch,
    fingerprint: codec.fingerprint,
    baseOf: (runId) => runOf(runId).base,
    versionOf: (runId, version) => versionIn(runId, version),
    historyOf: (runId) => historyIn(runId, new Map()),
    proposed: (runId, instant, proposal) =>
      plans.get(proposal) ?? codec.patch(effectOf(runId, instant), proposal),
    noteEffect: (instant, effect) => void effects.set(instant, effect),
    noteProposed: (proposal, plan) => void plans.set(proposal, plan),
    versionAt(runId, time) {
      let version = 1;
      for (const { instant, settled } of patchesOf<K>(store, runId)) {
        if (instant.now > time) break;
        version = settled.version;
      }
      return version;
    },
    decidedAt(runId, approval) {
      const { base } = runOf(runId);
      if (!base.isClocked) return undefined;
      const decided = decisionOf(store, runId, approval);
      const [first] = store.read({ runId, to: 0 });
      if (decided === undefined) return undefined;
      return codec.timeAfter?.(base, decided - Date.parse(first.ts));
    },
  };
}

/** When an approval was given, was denied or expired, in milliseconds since 1970. */
function decisionOf(store: PlanLog, runId: string, approval: string): number | undefined {
  const eventTypes = ['Approve', 'Deny', 'AwaitApproval'] as const;
  for (const { ts, eventType, payload } of store.read({ runId, eventTypes, descending: true })) {
    const { name, until } = payload as { name?: string; until?: number };
    if (name === approval) return eventType === 'AwaitApproval' ? until : Date.parse(ts);
  }
  return undefined;
}

/** The patches of versions, in order, read from the log of a run. */
function* patchesOf<K extends PlanKind>(store: PlanLog, runId: string): Generator<VersionPatch<K>> {
  let instant: K['Instant'] | undefined;
  let proposal: K['Proposal'] | undefined;
  for (const entry of store.read({ runId, eventTypes: ['EndNode'] })) {
    if (!makesVersions(entry)) continue;
    const step = stepOf(entry.nodeId);
    const { output } = entry.payload as { output?: Json };
    if (step === 'status') instant = output as unknown as K['Instant'];
    else if (step === 'propose') proposal = output as unknown as K['Proposal'];
    else {
      const settled = output as unknown as Settlement<K['Instant']>;
      if (!('version' in settled)) instant = settled.instant;
      else if (instant !== undefined && proposal !== undefined)
        yield { instant, proposal, settled };
    }
  }
}

/** The patches of the versions up to one. */
function* patchesTo<K extends PlanKind>(
  store: PlanLog,
  runId: string,
  version: number,
): Generator<VersionPatch<K>> {
  if (version < 2) return;
  for (const patch of patchesOf<K>(store, runId)) {
    yield patch;
    if (patch.settled.version >= version) return;
  }
}

/** The newest cached version before another. */
function newestBefore<V extends { readonly version: number }>(
  versions: ReadonlyMap<number, V>,
  version: number,
): V | undefined {
  let newest: V | undefined;
  for (const one of versions.values()) {
    if (one.version < version && one.version > (newest?.version ?? 0)) newest = one;
  }
  return newest;
}

function inputInLog<Input>(store: PlanLog, runId: string): Input {
  const [first] = store.read({ runId, to: 0 });
  if (first === undefined) throw new AlasError('no_run', `the log has no run ${runId}`, runId);
  return (first.payload as unknown as { input: Input }).input;
}
