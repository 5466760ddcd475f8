import {
  type Call,
  type CallAnswer,
  type Calling,
  decodeLogged,
  type EncodedValue,
  type Host,
  type InboxMessage,
  type Json,
  sliceLog,
  type TaskNode,
  type Workflow,
} from '@alas-jssp/workflow/interpreter';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  ActivityCancellationType,
  type ActivityOptions,
  CancellationScope,
  scheduleActivity,
} from '@temporalio/workflow';
import type { Children } from './children.js';
import type { Claims } from './claims.js';
import { codedValue, toCoded } from './coded.js';
import type { MemoryLog } from './memory-log.js';
import {
  factsKey,
  LEFT,
  type RegistryFacts,
  type StepAnswer,
  type StepCall,
  type StepWork,
} from './protocol.js';
import { given, logOwn, lostOf, ownOf, toAnswer, toError } from './step-ends.js';
import { createTimers } from './timers.js';

/** Settings of the host of a run. */
export interface TemporalHostOptions {
  readonly runId: string;
  readonly workflow: Workflow;
  readonly log: MemoryLog;
  readonly facts: RegistryFacts;
  readonly leaseSeconds: number;
  readonly check: Host['check'];
  readonly inbox: Inbox;
  readonly claims: Claims;
  readonly children: Children;
  readonly within: readonly string[];
  /** Called for every append. */
  onAppend(): void;
}

/** Messages to a run, in the order of their numbers. */
export interface Inbox {
  readonly messages: InboxMessage[];
  /** Adds a message that was sent at `ts`, at the latest now; returns its number. */
  add(kind: string, data: Json, ts?: string | undefined): number;
}

/** The host of a run inside of a workflow. */
export interface TemporalHost extends Host {
  /** Attempts of handlers that have not answered yet. */
  readonly inFlight: ReadonlySet<Promise<unknown>>;
  /** Whether no handler is running, awaited, or in an unknown state. */
  isQuiet(): boolean;
}

/** SHA-256 (hex) of a text. */
export function digest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/**
 * Makes the host of a run: handlers are activities, time and timers those of the workflow, the log
 * is in memory.
 */
export function createTemporalHost(options: TemporalHostOptions): TemporalHost {
  const { runId, log, facts, inbox, check } = options;
  const inFlight = new Set<Promise<unknown>>();
  let missing = false;
  const factsOf = (task: TaskNode) => {
    const known = facts.tasks[factsKey(task)];
    if (known === undefined) throw new Error(`the facts about ${factsKey(task)} are missing`);
    return known;
  };
  return {
    runId,
    inFlight,
    check,
    digest,
    isQuiet: () => inFlight.size === 0 && !missing,
    now: () => Date.now(),
    at: createTimers(),
    append(entries, changes = {}) {
      const written = log.append(entries);
      options.claims.change(changes, entries.at(-1)?.eventType === 'EndRun');
      options.onAppend();
      return written;
    },
    call(call) {
      const calling = callRegistered(options, call);
      if (call.kind === 'handler') {
        const { answer } = calling;
        inFlight.add(answer);
        void answer.then((given) => {
          inFlight.delete(answer);
          if (given.status === 'lost' && !given.gone) missing = true;
        });
      }
      return calling;
    },
    handlerOf: factsOf,
    decode(task, part, json) {
      const { [part]: isCoded } = factsOf(task);
      return isCoded ? codedValue({ handler: nameOf(task), part }, json) : decodeLogged(json);
    },
    encodeInput(task, input) {
      if (!factsOf(task).input) return input.json();
      const work = { kind: 'encode', task: slim(task), input: toCoded(input) } as const;
      return askWorker<Json>(`encode input of ${nameOf(task)}`, work, options);
    },
    claimOf: (key, wanted) => options.claims.take(key, wanted),
    messages: (after) => inbox.messages.filter(({ id }) => id > after),
    post: (kind, data) => void inbox.add(kind, data),
    alert() {},
  };
}

/** The input of the run for its handlers. */
export function inputValue({ input }: RegistryFacts, json: Json): EncodedValue {
  return input ? codedValue({ part: 'input' }, json) : decodeLogged(json);
}

/**
 * Makes a worker do work without effects: repeats the request until one answers.
 *
 * @throws ActivityFailure
 */
export function askWorker<T>(
  name: string,
  work: StepWork,
  { leaseSeconds, within }: Pick<TemporalHostOptions, 'leaseSeconds' | 'within'>,
  more: ActivityOptions = {},
): Promise<T> {
  const call: StepCall = { ...work, within };
  return scheduleActivity<T>(name, [call], { ...optionsOf(leaseSeconds), retry: AGAIN, ...more });
}

/** Waits between two workers that lack the function. */
const AGAIN = { initialInterval: '1 second', maximumInterval: '10 seconds' } as const;

/**
 * The interpreter repeats an attempt whose worker is lost; one without a handler moves to another
 * worker.
 */
const ONCE = {
  ...AGAIN,
  nonRetryableErrorTypes: ['TemporalTimeout:Heartbeat', 'TemporalTimeout:StartToClose', LEFT],
};

/** A handler has no time limit here: policies limit the wait. */
const LONGEST = '365 days';

function optionsOf(leaseSeconds: number): ActivityOptions {
  return {
    startToCloseTimeout: LONGEST,
    heartbeatTimeout: leaseSeconds * 1000,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

function nameOf({ handler, id }: TaskNode): string {
  return handler ?? id;
}

/** The parts of a task that a worker needs. */
function slim(task: TaskNode): TaskNode {
  return { ...task, io: {}, input: undefined };
}

type CallInFlight = Calling & { readonly answer: Promise<CallAnswer> };

/** Calls a registered function where it is: on a worker, or in a child of the run. */
function callRegistered(options: TemporalHostOptions, call: Call): CallInFlight {
  const { facts, children } = options;
  if (call.kind === 'handler') {
    const { child } = facts.tasks[factsKey(call.task)];
    if (child !== undefined) return children.run(call, child);
  }
  const ofChild = call.kind === 'compensator' && facts.ofChildren.includes(call.name);
  return ofChild ? children.undo(call) : callActivity(options, call);
}

function callActivity(options: TemporalHostOptions, call: Call): CallInFlight {
  const { leaseSeconds, within } = options;
  if (call.kind === 'outputValidator' || call.kind === 'inputValidator') {
    const { value, committed } = call;
    const input = call.input?.json();
    const name = call.kind === 'outputValidator' ? 'check' : 'check input of';
    const subject = subjectOf(options, call, true);
    const part = { kind: call.kind, ...subject, value, input, committed } as StepWork;
    const asked = askWorker<StepAnswer>(`${name} ${nameOf(call.task)}`, part, options);
    return { answer: asked.then(({ json }) => given(decodeLogged(json)), toError), abort() {} };
  }
  const scope = new CancellationScope();
  const undoing = call.kind === 'compensator';
  const name = undoing ? `undo ${nameOf(call.task)}` : nameOf(call.task);
  const asked = scope.run(() =>
    scheduleActivity<StepAnswer>(name, [{ ...toStep(options, call), within }], {
      ...optionsOf(leaseSeconds),
      retry: ONCE,
      summary: call.attempt === 1 ? call.path : `${call.path}, attempt ${call.attempt}`,
    }),
  );
  const answer = asked.then(
    (reply) => {
      logOwn(call, reply.own);
      return toAnswer(options.facts, call, reply);
    },
    (error: unknown): CallAnswer => {
      const lost = lostOf(error);
      if (lost !== undefined) return lost;
      logOwn(call, ownOf(error));
      return toError(error);
    },
  );
  return { answer, abort: () => scope.cancel() };
}

function subjectOf({ runId, log, workflow }: TemporalHostOptions, call: Call, always: boolean) {
  const { task, path, attempt } = call;
  const { logSchemas, schemas } = workflow;
  const { logSchemaRef: name = '' } = task;
  const schema = logSchemas[name];
  const logSchema = schema && { name, schema, schemas };
  const seen = always || task.context !== undefined;
  const slice = seen
    ? sliceLog({ read: (query) => log.read(query) }, runId, task.context)
    : undefined;
  return { runId, task: slim(task), path, attempt, slice, logSchema };
}

function toStep(
  options: TemporalHostOptions,
  call: Extract<Call, { kind: 'handler' | 'compensator' }>,
): StepWork {
  const subject = subjectOf(options, call, false);
  const { seed } = call;
  if (call.kind === 'compensator') {
    const { kind, name, key, externalRef } = call;
    const output = call.output && toCoded(call.output);
    return { kind, ...subject, name, key, seed, externalRef, input: toCoded(call.input), output };
  }
  const { kind, feedback, repair } = call;
  const task = { ...subject.task, repair };
  return { kind, ...subject, task, key: call.key(), seed, feedback, input: toCoded(call.input) };
}
