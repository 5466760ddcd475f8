import type { Clock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import type { Body, RepairSpec, Workflow } from '../ir/workflow.js';
import type { Json, LogEntry, OwnEventType } from '../log/entry.js';
import type { WorkflowPlan } from './plan.js';

/** Converts values to JSON and back: `decode(encode(value))` must be equivalent to `value`. */
// biome-ignore lint/suspicious/noExplicitAny: values of any type go through codecs
export interface Codec<T = any> {
  encode(value: T): Json;
  decode(json: Json): T;
}

/** The handler of a task: it does the work. */
// biome-ignore lint/suspicious/noExplicitAny: each handler knows the types of its own values
export interface Handler<I = any, O = any> {
  /**
   * `pure`: equal input and seed give equal output, and nothing outside is called, so that a replay
   * runs it again. `external` (default): a replay takes its output from the log.
   */
  readonly kind?: 'pure' | 'external';
  run(input: I, context: StepContext): O | Promise<O>;
  /** For tasks with effects: the logged form of the input. Default: the input itself, as JSON. */
  readonly input?: Codec<I>;
  /** The logged form of the output. Default: the output itself, which must be JSON then. */
  readonly output?: Codec<O> | undefined;
  /**
   * Of a repair: the kinds of disruptions that it handles. The checker compares workflows with it.
   */
  readonly covers?: readonly string[] | undefined;
  /** The external name of the effect, such as a booking number, for people to look up. */
  externalRef?(output: O): string;
  /**
   * The child run that it starts: a host that supports child runs starts it itself and never calls
   * `run`.
   */
  readonly child?: ChildOf | undefined;
}

/** A workflow that a step runs as a separate run, and its handlers. */
interface ChildOf {
  readonly workflow: Workflow;
  readonly registry: Registry;
}

/** The second argument of a handler, after its input. */
export interface StepContext {
  readonly runId: string;
  /** The path of the node, such as `repair[2]/propose`. */
  readonly nodeId: string;
  /** From 1. */
  readonly attempt: number;
  /** The same for every attempt at the same effect, also after a crash. */
  readonly idempotencyKey: string;
  readonly params: Readonly<Record<string, Json>>;
  /**
   * The repair specification of the node, if it has one, limited to the primitives that the edges
   * on its path allow. The handler must obey it.
   */
  readonly repair?: RepairSpec | undefined;
  /** An integer that depends only on the seed of the run, the node and the attempt. */
  readonly seed: number;
  /** Aborted when the attempt has timed out or the run was stopped. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The last entries of the log, as many as the node's `context` allows. */
  slice(): readonly LogEntry[];
  /** Logs the handler's own entry under this node; throws `BadLogEntry` if it is not allowed. */
  log(eventType: OwnEventType, payload: Json): void;
  /** The feedback of validators on earlier attempts. */
  readonly feedback: readonly Json[];
}

/** An effect to undo. */
export interface DoneEffect {
  readonly idempotencyKey: string;
  readonly input: unknown;
  /** Null if it is unknown: the attempt was interrupted, and the effect may exist or not. */
  readonly output: unknown;
  readonly externalRef?: string | undefined;
  /**
   * JSON Pointers of placeholders in `{ input, output }`: secrets that the log does not hold, of an
   * effect of a process that has ended.
   */
  readonly redacted: readonly string[];
}

/** Undoes an effect. It may be called twice for one effect. */
export interface Compensator {
  /** It undoes the child run of the step: a host that started the child undoes it itself. */
  readonly ofChild?: true | undefined;
  /** @returns the part that could not be undone, if any: for effects of the class `partial` */
  run(
    effect: DoneEffect,
    context: StepContext,
    // biome-ignore lint/suspicious/noConfusingVoidType: most compensators return nothing
  ): void | { readonly remaining?: string } | Promise<void | { readonly remaining?: string }>;
  /**
   * Checks that the effect is gone, after `run` has ended: a returned text says what is left, and
   * the undo has failed with the code `NotUndone`.
   */
  verifyUndone?(
    effect: DoneEffect,
    context: StepContext,
  ): string | undefined | Promise<string | undefined>;
}

/** A value for a validator: never with the context of the planner that made it. */
export interface Judged {
  readonly nodeId: string;
  /** The output of the step, or the input to deliver, as JSON. */
  readonly value: Json;
  /** Of an output: the input that the step had, as JSON. */
  readonly input?: Json | undefined;
  readonly slice: readonly LogEntry[];
  /** The outputs in the log so far, by path. */
  readonly committed: Readonly<Record<string, Json>>;
}

/** The verdict of a validator on a step or a delivery. */
export type Verdict =
  | { readonly outcome: 'pass' }
  /** Not correctable: the step fails with the code `Rejected`. */
  | { readonly outcome: 'reject'; readonly errors: readonly Json[] }
  /** Continues with another value in its place. */
  | { readonly outcome: 'augment'; readonly value: Json; readonly corrections: readonly Json[] }
  /**
   * The step may retry, and receives the reason; without attempts left it fails with `Feedback`.
   */
  | { readonly outcome: 'feedback'; readonly feedback: Json };

export type Validator = (judged: Judged) => Verdict | Promise<Verdict>;

/** All functions that a workflow refers to by name. */
export interface Registry {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly compensators?: Readonly<Record<string, Compensator>>;
  /** Judge outputs before they are committed; by id of the node or name of its handler. */
  readonly validators?: Readonly<Record<string, Validator>>;
  /** Judge inputs before they are delivered; by id of the node or name of its handler. */
  readonly inputValidators?: Readonly<Record<string, Validator>>;
  /** Break an output on purpose, by the code of the violation: for fault injection. */
  readonly violations?: Readonly<Record<string, (output: Json) => Json>>;
  /** The logged form of the run's input. Default: the input itself, which must be JSON then. */
  readonly input?: Codec | undefined;
}

/**
 * Rejects a run that could not finish: its registry lacks a handler or a compensator of the
 * workflow, or has one that cannot be called.
 *
 * @throws AlasError `bad_registry`, `bad_workflow`
 */
export function checkRegistry(
  { workflow, planOf }: WorkflowPlan,
  { handlers, compensators = {} }: Registry,
): void {
  const visit = (body: Body): void => {
    for (const { node, policy } of planOf(body).nodes) {
      if (node.type === 'parallel') Object.values(node.branches).forEach(visit);
      if (node.type === 'map') visit(node.body);
      if (node.type !== 'task') continue;
      const name = node.handler ?? node.id;
      requireCallable('handler', handlers, name);
      const undoing = node.effect === 'none' ? undefined : policy.compensation?.handler;
      if (undoing !== undefined) requireCallable('compensator', compensators, undoing);
    }
  };
  visit(workflow);
}

/** Modules of users are not type-checked: their exports may be anything. */
function requireCallable(
  what: string,
  registered: Readonly<Record<string, Partial<Handler> | undefined>>,
  name: string,
): void {
  const one = Object.hasOwn(registered, name) ? registered[name] : undefined;
  if (one === undefined) throw bad(`the registry has no ${what} ${name}`, name);
  if (typeof one?.run !== 'function') {
    throw bad(`the ${what} ${name} has no function run: make it { run() { … } }`, one);
  }
  if (!KINDS.includes(one.kind)) {
    throw bad(`the ${what} ${name} is of kind ${one.kind}: make it pure or external`, one.kind);
  }
}

const KINDS: readonly unknown[] = [undefined, 'pure', 'external'] satisfies Handler['kind'][];

function bad(message: string, value: unknown): AlasError {
  return new AlasError('bad_registry', message, value);
}
