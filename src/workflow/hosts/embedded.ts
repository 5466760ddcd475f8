import type { Clock } from '../../core/clock.js';
import { AlasError } from '../../core/errors.js';
import { isoTime } from '../../core/iso-time.js';
import { sha256 } from '../../core/sha256.js';
import { type Datum, liveDatum, loggedDatum } from '../interpreter/datum.js';
import type { Payloads } from '../interpreter/entries.js';
import {
  type Call,
  type CallAnswer,
  type Calling,
  type Host,
  isPromise,
  type Maybe,
} from '../interpreter/host.js';
import type { DoneEffect, Registry, StepContext } from '../interpreter/registry.js';
import type { TaskNode } from '../ir/workflow.js';
import type { Json, LogEntry } from '../log/entry.js';
import { redactedPlaces } from '../log/secrets.js';
import { sliceLog } from '../log/slice.js';
import type { LogStore } from '../log/store.js';
import type { Release } from '../log/tables.js';
import { createContext } from './step-context.js';

/** A run in this process, for its host. */
export interface EmbeddedOptions {
  readonly store: LogStore;
  readonly runId: string;
  readonly registry: Registry;
  readonly clock: Clock;
  /** The fencing token of the owner. */
  readonly token: number;
  /** Whether values may come from the log, by a restart or a message: what is redacted there is lost. */
  isToldByLog(): boolean;
  /** The number of the last message that was looked at. */
  readonly taken: number;
  readonly check: Host['check'];
  readonly onAlert?: ((end: Payloads['EndRun']) => Maybe<void>) | undefined;
  /** Told of every entry. */
  readonly onEntry?: ((entry: LogEntry) => void) | undefined;
  /** Calls a handler in the context of a span. */
  readonly within?: (<T>(nodeId: string, call: () => T) => T) | undefined;
}

/** The host of one run in one process, over a store, a clock and a registry. */
export interface EmbeddedHost extends Host {
  /** Handlers that have not answered yet. */
  readonly inFlight: ReadonlySet<Promise<unknown>>;
  /** How the run is given back now. */
  releaseAt(wakeAt: number | null): Release;
}

/** Turns of the queue of promises for which no timer is set: it costs more than most handlers do. */
const PROMPT = 10;

/** Whoever waits for it goes on a turn later; cheaper than queueMicrotask. */
const turn = Promise.resolve();

/** For how long an alert is waited for, in milliseconds. */
const ALERT = 60_000;

/** Aborting without a reason makes an error with a stack. */
const CALLED_OFF = 'called off';

/** Makes the host of a run that this process owns. */
export function createEmbeddedHost(options: EmbeddedOptions): EmbeddedHost {
  const { store, runId, registry, clock, token, check, onAlert, onEntry } = options;
  const inFlight = new Set<Promise<unknown>>();
  let seen = options.taken;
  let knowsOthers = false;
  const isToldByLog = () => knowsOthers || options.isToldByLog();
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
    call: (call) => callRegistered({ ...options, isToldByLog }, inFlight, call),
    handlerOf: (task) => ({
      pure: registry.handlers[nameOf(task)]?.kind === 'pure',
      outputValidator: validatorFor(registry, 'outputValidator', task) !== undefined,
      inputValidator: validatorFor(registry, 'inputValidator', task) !== undefined,
    }),
    decode: (task, part, json) => decodeWith(registry, task, part, json),
    encodeInput: (task, input) => {
      const codec = registry.handlers[nameOf(task)]?.input;
      return codec === undefined ? input.json() : codec.encode(input.value());
    },
    claimOf(key) {
      const claim = store.claimOf(key);
      if (claim === undefined || !claim.committed) return claim;
      knowsOthers = true;
      return { ...claim, output: outputInLog(store, claim.runId, claim.nodeId) };
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
        // There is nobody left to tell: the attempt stays in doubt.
      }
    },
    async alert(end) {
      const limit = new AbortController();
      try {
        const told = onAlert?.(end);
        if (!isPromise(told)) return;
        const late = clock.sleep(ALERT, limit.signal).catch(() => {});
        await Promise.race([told, late]);
      } catch {
        // Whom it should reach it has not reached; the run ends as it must all the same.
      } finally {
        limit.abort(CALLED_OFF);
      }
    },
  };
}

/** Makes a value of what a log holds of the input or the output of a task. */
export function decodeWith(
  { handlers }: Pick<Registry, 'handlers'>,
  task: TaskNode,
  part: 'input' | 'output',
  json: Json,
): Datum {
  return loggedDatum(json, handlers[nameOf(task)]?.[part]);
}

/** The validator that a registry has for a task, by the id of the node or the name of its handler. */
function validatorFor(
  { validators, inputValidators, handOvers }: Registry,
  kind: 'outputValidator' | 'inputValidator',
  task: TaskNode,
) {
  const known = kind === 'outputValidator' ? validators : (inputValidators ?? handOvers);
  return known?.[task.id] ?? known?.[nameOf(task)];
}

function nameOf({ handler, id }: TaskNode): string {
  return handler ?? id;
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

function callRegistered(
  options: EmbeddedOptions,
  inFlight: Set<Promise<unknown>>,
  call: Call,
): Calling {
  const { registry, store, runId, within } = options;
  const { task, path } = call;
  if (call.kind === 'outputValidator' || call.kind === 'inputValidator') {
    const { value, committed } = call;
    const validator = validatorFor(registry, call.kind, task);
    const judge = () => {
      const slice = sliceLog(store, runId, task.context);
      return validator?.({ nodeId: path, value, slice, committed });
    };
    return { answer: settle(judge, (verdict) => liveDatum(verdict)), abort: () => {} };
  }
  const { context, abort } = createContext(options, call);
  const inContext = <T>(act: () => T): T => (within === undefined ? act() : within(path, act));
  if (call.kind === 'compensator') {
    const undo = () => inContext(() => compensate(registry, call, context));
    return { answer: settle(undo, (value) => liveDatum(value)), abort };
  }
  if (options.isToldByLog()) requireReal(call);
  const handler = registry.handlers[nameOf(task)];
  const answer = settle(
    () => inContext(() => handler.run(call.input.value(), context)),
    (value) => liveDatum(value, handler.output),
    handler.externalRef && ((value) => handler.externalRef?.(value as never)),
  );
  if (isPromise(answer)) {
    inFlight.add(answer);
    void answer.then(() => inFlight.delete(answer));
  }
  return { answer, abort };
}

/** Makes an answer of what a function of a user gives or throws. */
function settle(
  act: () => unknown,
  datumOf: (value: unknown) => Datum,
  externalRef?: (value: unknown) => string | undefined,
): Maybe<CallAnswer> {
  const toAnswer = (value: unknown): CallAnswer => {
    const answer = { status: 'value', value: datumOf(value) } as const;
    return externalRef === undefined
      ? answer
      : { ...answer, externalRef: () => externalRef(value) };
  };
  const toError = (error: unknown): CallAnswer => ({ status: 'error', error });
  try {
    const value = act();
    return isPromise(value) ? Promise.resolve(value).then(toAnswer, toError) : toAnswer(value);
  } catch (error) {
    return toError(error);
  }
}

/**
 * Calls a compensator, and then asks it whether the effect is gone.
 *
 * @throws AlasError `NotUndone`
 */
async function compensate(
  { compensators = {} }: Registry,
  call: Extract<Call, { kind: 'compensator' }>,
  context: StepContext,
): Promise<unknown> {
  const { name, key, externalRef } = call;
  const compensator = compensators[name];
  if (compensator === undefined) {
    throw new AlasError('bad_registry', `there is no compensator ${name}; register it`, name);
  }
  const effect: DoneEffect = {
    idempotencyKey: key,
    input: call.input.value(),
    output: call.output?.value() ?? null,
    externalRef,
    get redacted() {
      return redactedPlaces({ input: call.input.json(), output: call.output?.json() ?? null });
    },
  };
  const result = await compensator.run(effect, context);
  const left = await compensator.verifyUndone?.(effect, context);
  if (left !== undefined) throw new AlasError('NotUndone', left, name);
  return result;
}

/**
 * Refuses to give a handler what stands in the place of a secret.
 *
 * @throws AlasError `redacted_value`: the run breaks off with it
 */
function requireReal({ path, input, task }: Extract<Call, { kind: 'handler' }>): void {
  const places = redactedPlaces({ input: input.json(), params: task.params ?? {} });
  if (places.length === 0) return;
  const message = `${path} cannot go on: the log does not hold ${places.join(', ')}, which was secret; run it anew`;
  throw new AlasError('redacted_value', message, places);
}

/** The output of a node that has come to its end, from the log of its run. */
function outputInLog(store: LogStore, runId: string, path: string): Json {
  const query = { runId, eventTypes: ['EndNode'], descending: true } as const;
  for (const { nodeId, payload } of store.read(query)) {
    if (nodeId === path) return (payload as unknown as Payloads['EndNode']).output ?? null;
  }
  return null;
}
