import { AlasError, InputError } from '@alas-jssp/core/errors';
import { decodeLogged, type EncodedValue, encodeLive } from '../interpreter/encoded-value.js';
import { plainCopy } from '../interpreter/foreign.js';
import {
  type Call,
  type CallAnswer,
  type Calling,
  type HandlerFacts,
  isPromise,
  type Maybe,
} from '../interpreter/host.js';
import { describeThrown } from '../interpreter/policies.js';
import type { Codec, DoneEffect, Registry, StepContext } from '../interpreter/registry.js';
import type { TaskNode } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import { redactedPlaces } from '../log/secrets.js';
import { type CallWorld, createContext } from './step-context.js';

/**
 * Thrown in place of a handler or compensator of a process that has ended: no answer will arrive.
 */
export const LOST = new AlasError('Lost', 'the process of the call has ended', undefined);

/** Decodes the logged input or output of a task. */
export function decodeWith(
  { handlers }: Pick<Registry, 'handlers'>,
  task: TaskNode,
  part: 'input' | 'output',
  json: Json,
): EncodedValue {
  return decodeLogged(json, handlers[nameOf(task)]?.[part]);
}

/** The validator of a task in a registry, by the id of the node or the name of its handler. */
function validatorFor(
  { validators, inputValidators }: Registry,
  kind: 'outputValidator' | 'inputValidator',
  task: TaskNode,
) {
  const known = kind === 'outputValidator' ? validators : inputValidators;
  return known?.[task.id] ?? known?.[nameOf(task)];
}

function nameOf({ handler, id }: TaskNode): string {
  return handler ?? id;
}

/** The input of a task with an effect, as the log stores it. */
export function encodeWith(
  { handlers }: Pick<Registry, 'handlers'>,
  task: TaskNode,
  input: EncodedValue,
): Json {
  const codec = handlers[nameOf(task)]?.input;
  return codec === undefined ? input.json() : plainCopy(codec.encode(input.value()));
}

/** The facts about the handler of a task that decide how it is called. */
export function factsOf(registry: Registry, task: TaskNode): HandlerFacts {
  return {
    pure: registry.handlers[nameOf(task)]?.kind === 'pure',
    outputValidator: validatorFor(registry, 'outputValidator', task) !== undefined,
    inputValidator: validatorFor(registry, 'inputValidator', task) !== undefined,
  };
}

/** Calls a handler, a compensator or a validator of a registry once. */
export function callRegistered(world: CallWorld, call: Call): Calling {
  const { registry, within } = world;
  const { task, path } = call;
  if (call.kind === 'outputValidator' || call.kind === 'inputValidator') {
    const { value, committed } = call;
    const validator = validatorFor(registry, call.kind, task);
    const judge = () => {
      const slice = world.slice(task.context);
      return validator?.({
        nodeId: path,
        value,
        slice,
        committed,
        get input() {
          return call.input?.json();
        },
      });
    };
    return { answer: settle(judge, copyVerdict), abort: () => {} };
  }
  const { context, abort } = createContext(world, call);
  const inContext = <T>(act: () => T): T => (within === undefined ? act() : within(path, act));
  if (call.kind === 'compensator') {
    const undo = () => inContext(() => compensate(registry, call, context));
    return { answer: settle(undo, copyValue), abort };
  }
  const handler = registry.handlers[nameOf(task)];
  const answer = settle(
    () => inContext(() => handler.run(call.input.value(), context)),
    (value) => copyValue(value, handler.output),
    handler.externalRef && ((value) => handler.externalRef?.(value as never)),
  );
  return { answer, abort };
}

/**
 * A value returned by user code, as a plain copy; values that JSON cannot hold are rejected when a
 * log reads them.
 */
function copyValue(value: unknown, codec?: Codec): EncodedValue {
  const plain: Codec = { encode: (given) => plainCopy(given ?? null), decode: (json) => json };
  if (codec !== undefined) {
    return encodeLive(value, { ...plain, encode: (given) => plainCopy(codec.encode(given)) });
  }
  try {
    return encodeLive(value === undefined ? undefined : plainCopy(value));
  } catch (error) {
    const refuse = (): never => {
      throw error;
    };
    // Without a log, a value may be anything readable, such as typed arrays.
    const isReadable = error instanceof InputError && error.code === 'not_json';
    return isReadable ? encodeLive(value) : { json: refuse, value: refuse, get: refuse };
  }
}

/** A verdict as a plain copy; one that is not JSON, or unreadable, throws when it is read. */
function copyVerdict(value: unknown): EncodedValue {
  try {
    return encodeLive(value === undefined ? undefined : plainCopy(value));
  } catch (error) {
    const refuse = (): never => {
      throw error;
    };
    return { json: refuse, value: refuse, get: refuse };
  }
}

/** The external name of an effect. @throws AlasError `BadExternalRef` if it is not a text */
function externalRefOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return given;
  if (typeof given === 'number') return String(given);
  throw new AlasError('BadExternalRef', 'externalRef returned no text', typeof given);
}

/** Makes an answer from the result or error of a user's function. */
function settle(
  act: () => unknown,
  datumOf: (value: unknown) => EncodedValue,
  externalRef?: (value: unknown) => string | undefined,
): Maybe<CallAnswer> {
  const toAnswer = (value: unknown): CallAnswer => {
    const answer = { status: 'value', value: datumOf(value) } as const;
    return externalRef === undefined
      ? answer
      : { ...answer, externalRef: () => externalRefOf(externalRef(value)) };
  };
  const toError = (error: unknown): CallAnswer =>
    error === LOST
      ? { status: 'lost', gone: true }
      : { status: 'error', error: describeThrown(error) };
  try {
    const value = act();
    return isPromise(value) ? Promise.resolve(value).then(toAnswer, toError) : toAnswer(value);
  } catch (error) {
    return toError(error);
  }
}

/**
 * Calls a compensator and then its check of whether the effect is gone.
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
    throw new AlasError(
      'bad_registry',
      `the registry has no compensator ${name}; register it`,
      name,
    );
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
  const left = (await compensator.verifyUndone?.(effect, context)) ?? undefined;
  if (left !== undefined) throw new AlasError('NotUndone', left, name);
  // Only this field is read: the rest may be anything, such as the response of a service.
  const remaining = (result as { remaining?: unknown } | null | undefined)?.remaining ?? undefined;
  return remaining === undefined ? null : { remaining: String(remaining) };
}
