import { callRegistered, encodeWith, type Registry, systemClock } from '@alas-jssp/workflow';
import {
  type Call,
  type CallAnswer,
  canonicalJson,
  codeOf,
  decodeLogged,
  describeThrown,
  type EncodedValue,
  type EventType,
  type GivenClaim,
  type Json,
  requireOwnEntry,
} from '@alas-jssp/workflow/interpreter';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { InputError } from 'alas-jssp';
import { answerItself } from './answer-itself.js';
import type { alasClaim, ClaimRequest } from './claim-workflow.js';
import { type CodecName, fromCoded } from './coded.js';
import { lookUp, notHere } from './look-up.js';
import { LEFT, type StepAnswer, type StepCall } from './protocol.js';

/** The environment of workflow steps on a worker. */
export interface StepSettings {
  readonly registry: Registry;
  /** For requests to the workflows that manage shared keys. */
  readonly client: Client;
  readonly queue: string;
}

/** The activities of a part of this package, by type. */
export type Activities = Record<string, (...given: never[]) => Promise<unknown>>;

/**
 * Makes the activities of workflows: one function for all, since steps are named after the handlers
 * of users. A missing function fails in a way that lets another worker take the step.
 */
export function createStepActivities(settings: StepSettings): Activities {
  return { default: (call: StepCall) => perform(settings, call) };
}

async function perform(settings: StepSettings, call: StepCall): Promise<unknown> {
  const { heartbeatTimeoutMs = 10_000 } = Context.current().info;
  const alive = setInterval(beat, Math.min(BEAT, heartbeatTimeoutMs / 3));
  try {
    beat();
    const registry = registryOf(settings.registry, call.within);
    switch (call.kind) {
      case 'facts':
        return lookUp(registry, call);
      case 'encode':
        return encodeWith(registry, call.task, fromCoded(call.input, decoderOf(registry)));
      case 'violate':
        return await violate(registry, call);
      case 'claim':
        return await requestClaim(settings, call);
      default:
        return await performStep(settings, registry, call);
    }
  } catch (error) {
    const isClassified = error instanceof ApplicationFailure || error instanceof CompleteAsyncError;
    if (isClassified) throw error;
    // A worker that is shutting down does not report it.
    if (isStopped()) throw ApplicationFailure.retryable(describeThrown(error).message);
    throw failureOf(error);
  } finally {
    clearInterval(alive);
  }
}

/** The registry of a child, or that of the worker. */
function registryOf(own: Registry, within: readonly string[]): Registry {
  return within.reduce((registry, name) => {
    const child = registry.handlers[name]?.child;
    if (child === undefined) throw notHere(`no handler ${name} that runs a workflow`);
    return child.registry;
  }, own);
}

/**
 * Requests a key from the workflow that manages it; retries through any interruption, such as a
 * server that is away.
 */
async function requestClaim(
  { client, queue }: StepSettings,
  { id, request }: Extract<StepCall, { kind: 'claim' }>,
): Promise<GivenClaim> {
  const keeper = new WithStartWorkflowOperation<typeof alasClaim>('alasClaim', {
    workflowId: id,
    taskQueue: queue,
    args: [],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: request.key,
  });
  const settings = { args: [request] as [ClaimRequest], startWorkflowOperation: keeper };
  try {
    return await client.workflow.executeUpdateWithStart<
      typeof alasClaim,
      GivenClaim,
      [ClaimRequest]
    >('take', settings);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw ApplicationFailure.retryable(`${message}${why}`, UNANSWERED);
  }
}

/** The failure type of a request for a key. */
const UNANSWERED = 'ClaimUnanswered';

/** Maximum milliseconds between two heartbeats: their answers notify a step that it is stopped. */
const BEAT = 1000;

function beat(): void {
  Context.current().heartbeat();
}

/** Whether this worker is shutting down, and the step with it. */
function isStopped(): boolean {
  const { cancellationDetails, cancellationSignal } = Context.current();
  return cancellationSignal.aborted && cancellationDetails?.workerShutdown === true;
}

/** A failure that no other worker should retry: policies of the workflow decide. */
function failureOf(error: unknown, details: unknown[] = []): ApplicationFailure {
  // Its text is bounded: the server rejects failures of some megabytes.
  const { code: type, message, unanswered } = describeThrown(error);
  const category = ApplicationFailureCategory.BENIGN;
  const said = unanswered === undefined ? details : [details[0] ?? [], { unanswered }];
  return ApplicationFailure.create({ message, type, nonRetryable: true, details: said, category });
}

async function violate(
  { violations = {} }: Registry,
  { code, output }: Extract<StepCall, { kind: 'violate' }>,
): Promise<Json> {
  if (!Object.hasOwn(violations, code)) throw notHere(`nothing that violates ${code}`);
  return violations[code](output);
}

/** Decodes logged values, by the codecs of a registry. */
function decoderOf({ handlers, input }: Registry) {
  return ({ handler, part }: CodecName, json: Json): unknown => {
    const codec = handler === undefined ? input : handlers[handler]?.[part];
    if (codec === undefined) throw notHere(`no codec for the ${part} of ${handler ?? 'the run'}`);
    return codec.decode(json);
  };
}

type Step = Exclude<StepCall, { kind: 'facts' | 'encode' | 'violate' | 'claim' }>;

async function performStep(
  { client }: StepSettings,
  registry: Registry,
  step: Step,
): Promise<StepAnswer> {
  requireHere(registry, step);
  const work = () => callStep(registry, step);
  const hasEffect = step.kind === 'handler' && step.task.effect !== 'none';
  return hasEffect ? answerItself(client, step, work) : work();
}

async function callStep(registry: Registry, step: Step): Promise<StepAnswer> {
  const { runId, path, slice } = step;
  const own: [EventType, Json][] = [];
  const world = {
    registry,
    runId,
    clock: systemClock,
    slice: () => {
      if (slice !== undefined) return slice;
      const message = `${path} sees no part of the log; name it as context of the node`;
      throw new InputError('no_slice', message, 'see docs/how-to/temporal.md', {}, path);
    },
  };
  const calling = callRegistered(world, callOf(registry, step, own));
  const { cancellationSignal } = Context.current();
  const stop = () => calling.abort({ ...STOPPED, nodeId: path });
  cancellationSignal.addEventListener('abort', stop);
  if (cancellationSignal.aborted) stop();
  try {
    const { kind } = step;
    return answerOf(await calling.answer, own, kind === 'handler' || kind === 'compensator');
  } finally {
    cancellationSignal.removeEventListener('abort', stop);
  }
}

const STOPPED = { code: 'Cancelled', message: 'the attempt was stopped', compensates: true };

function requireHere({ handlers, compensators = {} }: Registry, step: Step): void {
  const { task } = step;
  const name = task.handler ?? task.id;
  if (step.kind === 'handler' && !Object.hasOwn(handlers, name))
    throw notHere(`no handler ${name}`);
  if (step.kind === 'compensator' && !Object.hasOwn(compensators, step.name)) {
    throw notHere(`no compensator ${step.name}`);
  }
}

/** The call of the interpreter, as the workflow described it. */
function callOf(registry: Registry, step: Step, own: [EventType, Json][]): Call {
  const { task, path, attempt } = step;
  const decode = decoderOf(registry);
  const log = (eventType: EventType, payload: Json) => {
    const { logSchema } = step;
    const check = logSchema && createSchemaChecks(logSchema.schemas);
    requireOwnEntry(
      eventType,
      payload,
      check && ((schema, value) => check(schema)(value)),
      logSchema,
    );
    own.push([eventType, JSON.parse(canonicalJson(payload)) as Json]);
  };
  if (step.kind === 'outputValidator' || step.kind === 'inputValidator') {
    const { kind, value, committed } = step;
    const input = step.input === undefined ? undefined : decodeLogged(step.input);
    return { kind, task, path, attempt, value, input, committed };
  }
  const input = fromCoded(step.input, decode);
  const { seed, key } = step;
  if (step.kind === 'handler') {
    const { feedback } = step;
    const about = { kind: step.kind, task, path, attempt, input, seed, feedback, log };
    return { ...about, repair: task.repair, key: () => key };
  }
  const { kind, name, externalRef } = step;
  const output = step.output && fromCoded(step.output, decode);
  return { kind, task, path, attempt, name, key, seed, input, output, externalRef, log };
}

/** The answer to the workflow. */
function answerOf(answer: CallAnswer, own: StepAnswer['own'], hasActed: boolean): StepAnswer {
  if (answer.status === 'error') {
    // It was stopped because the worker is: its effect is unknown.
    if (isStopped()) {
      const message = 'its worker was stopped';
      throw ApplicationFailure.create({ message, type: LEFT, nonRetryable: hasActed });
    }
    throw failureOf(answer.error, [own]);
  }
  if (answer.status === 'lost') throw ApplicationFailure.nonRetryable('its maker is lost', LEFT);
  const externalRef = answer.externalRef?.();
  const reference = externalRef === undefined ? {} : { externalRef };
  return { ...jsonOf(answer.value), ...reference, own };
}

/** A value as a log can hold it, or the reason why it cannot. */
function jsonOf(value: EncodedValue): Pick<StepAnswer, 'json' | 'unfit'> {
  try {
    const json = value.json();
    canonicalJson(json);
    return { json };
  } catch (error) {
    return { json: null, unfit: { code: codeOf(error), message: (error as Error).message } };
  }
}
