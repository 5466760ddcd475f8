import { AlasError } from '@alas-jssp/core/errors';
import type * as z from 'zod';
import type {
  Compensator,
  DoneEffect,
  Handler,
  Judged,
  StepContext,
  Validator,
  Verdict,
} from '../interpreter/registry.js';
import type { Json } from '../log/entry.js';
import { hasRefinements } from './schema.js';

export type WorkflowDraft = z.input<typeof import('../ir/workflow.js').workflowSchema>;
export type PolicyDraft = NonNullable<WorkflowDraft['policies']>[string];
type TaskDraft = Extract<WorkflowDraft['nodes'][number], { type: 'task' }>;
export type Repairable = NonNullable<WorkflowDraft['edges'][number]['repairable']>;
type CompensationDraft = NonNullable<PolicyDraft['compensation']>;

/** How often a step is tried: attempts in total, or only after certain errors. */
type RetryDraft = number | NonNullable<PolicyDraft['retry']>;

/** An effect of a step that shall be undone. */
export type DoneStep<I, O> = Omit<DoneEffect, 'input' | 'output'> & {
  readonly input: I;
  /** Null if it is unknown: the attempt was interrupted, and the effect may exist or not. */
  readonly output: O | null;
};

/** Undoes the effect of a step. It may be called twice for one effect. */
type Undo<I, O> = (done: DoneStep<I, O>, context: StepContext) => ReturnType<Compensator['run']>;

/** How the effect of a step is undone, where a function alone does not say it. */
interface UndoOptions<I, O>
  extends Pick<CompensationDraft, 'triggers' | 'deadlineSeconds' | 'compensateOn' | 'backoff'> {
  readonly run: Undo<I, O>;
  /** Checks that the effect is gone; a text names what is still there. */
  verify?(
    done: DoneStep<I, O>,
    context: StepContext,
  ): undefined | string | Promise<undefined | string>;
  /** Seconds; default: 60. */
  readonly timeout?: number;
  readonly retry?: RetryDraft;
}

/** Keys of the node of a step in the JSON form, besides its policy. */
type NodeOptions = Pick<
  TaskDraft,
  'role' | 'capabilities' | 'params' | 'context' | 'logSchemaRef' | 'repair'
>;

/** A step without its work. */
interface StepBase<In extends z.ZodType, Out extends z.ZodType>
  extends NodeOptions,
    Pick<PolicyDraft, 'backoff' | 'catch' | 'idempotencyKey'> {
  /** The form of the input. Default: anything. */
  readonly input?: In;
  /** The schema of the output; unknown keys are dropped. Default: any value. */
  readonly output?: Out;
  /** `pure`: equal inputs give equal outputs, and nothing outside is called. */
  readonly kind?: 'pure' | 'external';
  /** Undoes the work if the run fails; this makes the step compensable. */
  readonly undo?: Undo<z.output<In>, z.output<Out>> | UndoOptions<z.output<In>, z.output<Out>>;
  /** Default: `compensable` for steps with `undo`, else `none`: it can be repeated at will. */
  readonly effect?: 'none' | 'compensable' | 'partial' | 'irreversible';
  /** Rejects an output although its form is valid: a returned text is the reason. */
  validate?(
    output: z.output<Out>,
    judged: Judged,
  ): undefined | string | Verdict | Promise<undefined | string | Verdict>;
  /** Judges the input before it is delivered. */
  validateInput?: Validator;
  /** Of a repair: the kinds of disruptions that its handler can deal with. */
  readonly covers?: readonly string[];
  /** The largest change that a repair may make of what comes to the step. Default: none. */
  readonly repairable?: Repairable;
  /** The name that the outside gives the effect, such as the number of a booking. */
  externalRef?(output: z.output<Out>): string;
  /** Seconds for an attempt. Default: 60; pure steps have no limit. */
  readonly timeout?: number;
  /** Default: one attempt. Between attempts the wait doubles, from 1 to 60 s. */
  readonly retry?: RetryDraft;
  /** Limit of the wait for an approval or a claim, in seconds. */
  readonly wait?: number;
  /** Limit of the wait for the answer of an attempt that has timed out, in seconds. */
  readonly lateAnswer?: number;
  /** The approval that the step needs before it runs. */
  readonly approval?: string;
  /** Names of those who may give or deny that approval. Default: anyone. */
  readonly approvers?: readonly string[];
}

/** A step: its work, its undo, and how both are run. */
export interface StepOptions<In extends z.ZodType, Out extends z.ZodType>
  extends StepBase<In, Out> {
  /** Does the work. */
  run(input: z.output<In>, context: StepContext): z.input<Out> | Promise<z.input<Out>>;
}

/** A step whose work is in the registry of the run, with the types of its input and its output. */
export interface DeclaredOptions<I, O>
  extends Omit<
    StepBase<z.ZodType, z.ZodType>,
    'input' | 'output' | 'undo' | 'validate' | 'validateInput' | 'externalRef'
  > {
  /** The form of the input. Default: anything. */
  readonly input?: z.ZodType<unknown, I>;
  /** The form of the output. Default: anything. */
  readonly output?: z.ZodType<O>;
  /** The name of its handler in the registry. Default: that of the step. */
  readonly handler?: string;
}

/** The options of either kind of step. */
type AnyStepOptions = StepBase<z.ZodType, z.ZodType> &
  Partial<StepOptions<z.ZodType, z.ZodType>> &
  Pick<DeclaredOptions<never, never>, 'handler'>;

/** A step with the types of its input and its output. */
export interface StepDefinition<I, O> {
  readonly name: string;
  readonly options: AnyStepOptions;
  /** Carries the types; never called. */
  types?(input: I): O;
}

/** The handlers of declared steps, by the keys of the steps. */
export type HandlersOf<Steps> = {
  readonly [K in keyof Steps]: Steps[K] extends StepDefinition<infer I, infer O>
    ? Handler<I, O>
    : never;
};

/** A step of a workflow, by the name under which the log knows it. */
export function step<In extends z.ZodType = z.ZodUnknown, Out extends z.ZodType = z.ZodUnknown>(
  name: string,
  options: StepOptions<In, Out>,
): StepDefinition<z.input<In>, z.output<Out>> {
  return { name, options: options as never };
}

/**
 * A step whose work is not known where the workflow is defined, but comes with the registry of each run, such as a
 * handler that is made for a task or for the services of a process.
 */
export function declareStep<I = unknown, O = unknown>(
  name: string,
  options: DeclaredOptions<I, O> = {},
): StepDefinition<I, O> {
  return { name, options: options as never };
}

/** The default limit of an attempt, in seconds. */
const TIMEOUT = 60;

const BACKOFF = { mode: 'exponential', base: 1, cap: 60 } as const;

/** The policy of a step in the IR. */
export function policyOfStep({ name, options }: StepDefinition<never, unknown>): PolicyDraft {
  const { kind, undo, idempotencyKey, timeout, wait, approvers, lateAnswer } = options;
  const seconds = timeout ?? (kind === 'pure' ? undefined : TIMEOUT);
  const undoing = typeof undo === 'function' ? { run: undo } : undo;
  return definedKeysOf({
    ...retryPolicy(options),
    timeout: limit(seconds),
    wait: limit(wait),
    approvers: approvers && [...approvers],
    lateAnswer: limit(lateAnswer),
    catch: options.catch,
    idempotencyKey: undo === undefined ? idempotencyKey : (idempotencyKey ?? {}),
    compensation:
      undoing &&
      definedKeysOf({
        handler: compensatorName(name),
        triggers: undoing.triggers,
        deadlineSeconds: undoing.deadlineSeconds,
        compensateOn: undoing.compensateOn,
        safeReinvoke: true,
        timeout: limit(undoing.timeout ?? TIMEOUT),
        ...retryPolicy(undoing),
      }),
  });
}

function retryPolicy({ retry, backoff }: { retry?: RetryDraft; backoff?: PolicyDraft['backoff'] }) {
  if (retry === undefined) return { backoff };
  return {
    retry: typeof retry === 'number' ? { maxAttempts: retry } : retry,
    backoff: backoff ?? BACKOFF,
  };
}

function limit(seconds: number | undefined) {
  return seconds === undefined ? undefined : { seconds };
}

/** An object without the keys that have no value, which JSON would not have either. */
export function definedKeysOf<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** The name of the compensator of a step in a registry. */
export function compensatorName(step: string): string {
  return `undo-${step}`;
}

/** The handler of a step, as a registry has it; undefined if the step does no work of its own. */
export function handlerOf({ name, options }: StepDefinition<never, unknown>): Handler | undefined {
  const { kind, input, output, externalRef, covers, run: work } = options;
  if (work === undefined) return undefined;
  return definedKeysOf({
    kind,
    externalRef,
    covers,
    async run(value: unknown, context: StepContext) {
      const taken = input?.safeParse(value) ?? { success: true, data: value };
      if (!taken.success) throw new AlasError('BadInput', `${name}: ${issuesOf(taken.error)}`);
      const given = await work(taken.data, context);
      // The schema of the IR refuses an output of another form: the effect has happened.
      const made = output?.safeParse(given);
      return (made?.success ? made.data : given) ?? null;
    },
  }) as Handler;
}

/** The compensator of a step, as a registry holds it; undefined if nothing undoes the step. */
export function compensatorOf({
  options,
}: StepDefinition<never, unknown>): Compensator | undefined {
  const { undo, input, output } = options;
  if (undo === undefined) return undefined;
  const { run, verify } = typeof undo === 'function' ? { run: undo, verify: undefined } : undo;
  const done = (effect: DoneEffect) => ({
    ...effect,
    input: parsed(input, effect.input),
    output: effect.output === null ? null : parsed(output, effect.output),
  });
  return {
    run: (effect, context) => run(done(effect), context),
    ...(verify && {
      verifyUndone: (effect: DoneEffect, context: StepContext) => verify(done(effect), context),
    }),
  };
}

/** Undoing does not require a valid value: it may have been redacted. */
function parsed(schema: z.ZodType | undefined, value: unknown): unknown {
  const result = schema?.safeParse(value);
  return result?.success ? result.data : value;
}

/** The validator for what JSON Schema cannot express of an output; undefined if there is nothing. */
export function validatorOf({ options }: StepDefinition<never, unknown>): Validator | undefined {
  const { output, validate } = options;
  if (validate === undefined && (output === undefined || !hasRefinements(output))) return undefined;
  return async (judged) => {
    const made = output?.safeParse(judged.value) ?? { success: true, data: judged.value };
    if (!made.success) return { outcome: 'reject', errors: [issuesOf(made.error)] };
    const said = await validate?.(made.data as Json, judged);
    if (said === undefined) return { outcome: 'pass' };
    return typeof said === 'string' ? { outcome: 'reject', errors: [said] } : said;
  };
}

function issuesOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
