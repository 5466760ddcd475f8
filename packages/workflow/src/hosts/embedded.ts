import type { Clock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Payloads, RunStatus } from '../interpreter/entries.js';
import { type Call, type Host, isPromise, type Maybe } from '../interpreter/host.js';
import type { Registry } from '../interpreter/registry.js';
import type { Json, LogEntry } from '../log/entry.js';
import { isRedacted, redactedPlaces } from '../log/secrets.js';
import { sliceLog } from '../log/slice.js';
import type { LogStore } from '../log/store.js';
import type { Release } from '../log/tables.js';
import { callRegistered, decodeWith, encodeWith, factsOf } from './call-registered.js';
import type { CallWorld } from './step-context.js';

/** A run in this process, as its host needs it. */
export interface EmbeddedOptions {
  readonly store: LogStore;
  readonly runId: string;
  readonly registry: Registry;
  readonly clock: Clock;
  /** The fencing token of the owner. */
  readonly token: number;
  /**
   * Whether values may come from the log, by a restart or a message: redacted values are lost then.
   */
  mayReadLog(): boolean;
  /** The number of the last message that was processed. */
  readonly taken: number;
  readonly check: Host['check'];
  readonly onAlert?: ((end: Payloads['EndRun']) => Maybe<void>) | undefined;
  /** Receives every entry. */
  readonly onEntry?: ((entry: LogEntry) => void) | undefined;
  /** Calls a handler in the context of a span. */
  readonly within?: (<T>(nodeId: string, call: () => T) => T) | undefined;
}

/** The host of one run in one process, over a store, a clock and a registry. */
export interface EmbeddedHost extends Host {
  /** Handlers that have not answered yet. */
  readonly inFlight: ReadonlySet<Promise<unknown>>;
  /** The release with which the run's lease is given up. */
  releaseAt(wakeAt: number | null): Release;
}

/** Turns of the promise queue for which no timer is set: a timer costs more than most handlers. */
const PROMPT = 10;

/** Callers continue one turn later; cheaper than queueMicrotask. */
const turn = Promise.resolve();

/** Limit of the wait for an alert, in milliseconds. */
const ALERT = 60_000;

/** Aborting without a reason creates an error with a stack. */
const CALLED_OFF = 'called off';

/** Makes the host of a run that this process owns. */
export function createEmbeddedHost(options: EmbeddedOptions): EmbeddedHost {
  const { store, runId, registry, clock, token, check, onAlert, onEntry } = options;
  const inFlight = new Set<Promise<unknown>>();
  let seen = options.taken;
  let knowsOthers = false;
  const world: CallWorld = {
    registry,
    runId,
    clock,
    within: options.within,
    slice: (scope) => sliceLog(store, runId, scope),
  };
  const mayReadLog = () => knowsOthers || options.mayReadLog();
  const releaseAt = (wakeAt: number | null): Release => {
    return { wakeAt, taken: seen, quiet: inFlight.size === 0 };
  };
  return {
    runId,
    inFlight,
    releaseAt,
    check,
    now: () => clock.now(),
    at: (moment, ring) => setTimer(clock, moment, ring),
    digest: sha256,
    append(entries, changes) {
      const ends = entries[entries.length - 1].eventType === 'EndRun';
      const release = ends ? releaseAt(null) : undefined;
      const written = store.append(entries, { ...changes, token, release });
      if (onEntry !== undefined) written.forEach(onEntry);
      return written;
    },
    call(call) {
      if (call.kind === 'handler' && mayReadLog()) requireNoPlaceholders(call);
      const calling = callRegistered(world, call);
      const { answer } = calling;
      if (call.kind === 'handler' && isPromise(answer)) {
        inFlight.add(answer as Promise<unknown>);
        void answer.then(() => inFlight.delete(answer as Promise<unknown>));
      }
      return calling;
    },
    handlerOf: (task) => factsOf(registry, task),
    decode: (task, part, json) => decodeWith(registry, task, part, json),
    encodeInput: (task, input) => encodeWith(registry, task, input),
    claimOf(key) {
      const claim = store.claimOf(key);
      if (claim === undefined || !claim.committed) return claim;
      knowsOthers = true;
      return { ...claim, output: outputInLog(store, claim.runId, claim.nodeId) };
    },
    usersOf(key, nodeId) {
      const claim = store.claimOf(key);
      return claim?.committed === true && claim.runId === runId
        ? usersIn(store, runId, nodeId)
        : [];
    },
    messages(after) {
      const messages = store.messages(runId, after);
      seen = Math.max(seen, after, messages.at(-1)?.id ?? 0);
      return messages;
    },
    post(kind, data) {
      try {
        store.post({ runId, ts: isoTime(clock.now()), kind, data });
      } catch {
        // The store has failed: the attempt stays in doubt.
      }
    },
    async alert(end) {
      const limit = new AbortController();
      try {
        const alerted = onAlert?.(end);
        if (!isPromise(alerted)) return;
        const late = clock.sleep(ALERT, limit.signal).catch(() => {});
        await Promise.race([alerted, late]);
      } catch {
        // The alert has failed; the run ends all the same.
      } finally {
        limit.abort(CALLED_OFF);
      }
    },
  };
}

function setTimer(clock: Clock, moment: number, ring: () => void): () => void {
  let off = false;
  let timer: AbortController | undefined;
  const arm = (turns: number): void => {
    if (off) return;
    if (turns > 0) {
      void turn.then(() => arm(turns - 1));
      return;
    }
    timer = new AbortController();
    clock.sleep(Math.max(0, moment - clock.now()), timer.signal).then(
      () => {
        if (!off) ring();
      },
      () => {},
    );
  };
  arm(moment > clock.now() ? PROMPT : 0);
  return () => {
    off = true;
    timer?.abort(CALLED_OFF);
  };
}

/**
 * Refuses to pass placeholders of secrets to a handler.
 *
 * @throws AlasError `redacted_value`: the run is interrupted with it
 */
function requireNoPlaceholders({ path, input, task }: Extract<Call, { kind: 'handler' }>): void {
  const given = { input: input.json(), params: task.params ?? {} };
  // Places are only named for the error: this runs before every step.
  if (!isRedacted(given)) return;
  const places = redactedPlaces(given);
  const message = `${path} cannot resume: ${places.join(', ')} was secret, and the log does not hold it; start a new run`;
  throw new AlasError('redacted_value', message, places);
}

/** The steps of other runs that received the output of a step and were not undone: `RUN:NODE`. */
function usersIn(store: LogStore, runId: string, nodeId: string): string[] {
  const users: string[] = [];
  for (const other of store.runs()) {
    if (other === runId) continue;
    for (const entry of store.read({ runId: other, eventTypes: ['EndNode'] })) {
      const { cached } = entry.payload as unknown as Payloads['EndNode'];
      if (cached !== `${runId}:${nodeId}`) continue;
      const query = { runId: other, eventTypes: ['EndRun'], descending: true } as const;
      const [end] = store.read(query);
      const { status } = (end?.payload ?? {}) as { status?: RunStatus };
      if (status === undefined || !UNDONE.includes(status)) users.push(`${other}:${entry.nodeId}`);
    }
  }
  return users;
}

/** Ends of runs that keep none of the outputs that they received. */
const UNDONE: readonly RunStatus[] = ['COMPENSATED', 'FAILED', 'CANCELLED'];

/** The output of a node that has ended, from the log of its run. */
function outputInLog(store: LogStore, runId: string, path: string): Json {
  const query = { runId, eventTypes: ['EndNode'], descending: true } as const;
  for (const { nodeId, payload } of store.read(query)) {
    if (nodeId === path) return (payload as unknown as Payloads['EndNode']).output ?? null;
  }
  return null;
}
