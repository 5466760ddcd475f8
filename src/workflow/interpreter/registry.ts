import type { Clock } from '../../core/clock.js';
import { AlasError } from '../../core/errors.js';
import type { Body, RepairSpec, Workflow } from '../ir/workflow.js';
import type { Json, LogEntry, OwnEventType } from '../log/entry.js';
import type { WorkflowPlan } from './plan.js';

/** Brings values into JSON and back: `decode(encode(value))` must do for `value` in every way. */
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
  /** For tasks with effects: what the log holds of the input. Default: the input itself, as JSON. */
  readonly input?: Codec<I>;
  /**
   * The form in which the log holds the output. Default: the output itself, which must be JSON then.
   */
  readonly output?: Codec<O> | undefined;
  /** Of a repair: the kinds of disruptions that it can deal with. The checker holds workflows against it. */
  readonly covers?: readonly string[] | undefined;
  /**
   * The name that the outside gives the effect, such as the number of a booking: for people to look
   * up.
   */
  externalRef?(output: O): string;
  /** The run that it starts within the run: a host that can starts it itself, and calls `run` never. */
  readonly child?: ChildOf | undefined;
}

/** A workflow that a step runs as a run of its own, and its handlers. */
interface ChildOf {
  readonly workflow: Workflow;
  readonly registry: Registry;
}

/** The context of a step that a handler is given besides its input. */
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
   * The repair specification of the node, if it has one, with the primitives that the edges on the way to
   * it leave. The handler keeps to it.
   */
  readonly repair?: RepairSpec | undefined;
  /** An integer that depends on the seed of the run, the node and the attempt only. */
  readonly seed: number;
  /** Aborted when the attempt has timed out or the run was stopped. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The last entries of the log, as many as the node's `context` allows. */
  slice(): readonly LogEntry[];
  /** Writes an entry of its own, under this node; throws `BadLogEntry` if it may not be written. */
  log(eventType: OwnEventType, payload: Json): void;
  /** The feedback of validators on earlier attempts. */
  readonly feedback: readonly Json[];
}

/** An effect that is to be undone. */
export interface DoneEffect {
  readonly idempotencyKey: string;
  readonly input: unknown;
  /** Null if it is not known: the attempt broke off, and the effect may be there or not. */
  readonly output: unknown;
  readonly externalRef?: string | undefined;
  /**
   * JSON Pointers of what is not real in `{ input, output }`: secrets that the log does not hold, of
   * an effect of a process that has ended.
   */
  readonly redacted: readonly string[];
}

/** Undoes an effect. It may be called twice for one effect. */
export interface Compensator {
  /** It undoes what the child of the step did: a host that started the child does that itself. */
  readonly ofChild?: true | undefined;
  /** @returns what could not be undone, if anything: for effects of the class `partial` */
  run(
    effect: DoneEffect,
    context: StepContext,
    // biome-ignore lint/suspicious/noConfusingVoidType: most compensators return nothing
  ): void | { readonly remaining?: string } | Promise<void | { readonly remaining?: string }>;
  /**
   * Looks whether the effect is gone for sure, after `run` has ended: a text says what is still
   * there, and undoing has failed with the code `NotUndone`.
   */
  verifyUndone?(
    effect: DoneEffect,
    context: StepContext,
  ): string | undefined | Promise<string | undefined>;
}

/** A value to be judged by a validator: never with the context of the planner that made it. */
export interface Judged {
  readonly nodeId: string;
  /** The output of the step, or the input that is to be delivered, as JSON. */
  readonly value: Json;
  readonly slice: readonly LogEntry[];
  /** The outputs that stand in the log so far, by path. */
  readonly committed: Readonly<Record<string, Json>>;
}

/** The verdict of a validator on a step or a delivery. */
export type Verdict =
  | { readonly outcome: 'pass' }
  /** Not to be mended: the step fails with the code `Rejected`. */
  | { readonly outcome: 'reject'; readonly errors: readonly Json[] }
  /** Goes on with another value in its place. */
  | { readonly outcome: 'augment'; readonly value: Json; readonly corrections: readonly Json[] }
  /** The step may try again, and is told why; without attempts left it fails with `Feedback`. */
  | { readonly outcome: 'feedback'; readonly feedback: Json };

export type Validator = (judged: Judged) => Verdict | Promise<Verdict>;

/** Everything that a workflow refers to by name. */
export interface Registry {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly compensators?: Readonly<Record<string, Compensator>>;
  /** Judge outputs before they are committed; by id of the node or name of its handler. */
  readonly validators?: Readonly<Record<string, Validator>>;
  /** Judge inputs before they are delivered; by id of the node or name of its handler. */
  readonly inputValidators?: Readonly<Record<string, Validator>>;
  /** Break an output on purpose, by the code of the violation: for fault injection. */
  readonly violations?: Readonly<Record<string, (output: Json) => Json>>;
  /** How the log holds the input of the run. Default: as it is, and it must be JSON then. */
  readonly input?: Codec | undefined;
}

/**
 * Refuses to begin what could not be finished: a workflow with a handler or a compensator that the
 * registry does not have, or that cannot be called.
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

/** Modules of users are not compiled: what they export may be anything. */
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
