import { InputError } from '@alas-jssp/core/errors';
import type * as z from 'zod';
import type { Compensator, Handler, Registry, Validator } from '../interpreter/registry.js';
import type { KnownHandlers } from '../ir/check/effect-rules.js';
import {
  type AnyGiven,
  type AnyRef,
  type Given,
  makeRef,
  pathsOf,
  type Ref,
  type RefTo,
  referencesOf,
  type ValueOf,
} from './reference.js';
import { addNamed, jsonSchemaOf } from './schema.js';
import {
  compensatorName,
  compensatorOf,
  definedKeysOf,
  handlerOf,
  type PolicyDraft,
  policyOfStep,
  type Repairable,
  type StepDefinition,
  validatorOf,
  type WorkflowDraft,
} from './step.js';

type NodeDraft = WorkflowDraft['nodes'][number];
type EdgeDraft = WorkflowDraft['edges'][number];
type Branch = (flow: Flow, input: never) => AnyRef;

/** A branch of a choice: the steps to run, or the id of a later step of the body to continue with. */
type ChoiceBranch<Input> =
  // biome-ignore lint/suspicious/noConfusingVoidType: branches may return nothing
  string | ((input: Input) => AnyRef | undefined | void);

/** The type of the value of a branch that does not continue elsewhere. */
type BranchValue<B> = B extends (...given: never) => infer R
  ? R extends AnyRef
    ? ValueOf<R>
    : undefined
  : never;

/** The input of a step that runs where another one failed. */
export interface CaughtFailure<I = unknown> {
  readonly error: { readonly code: string; readonly message: string };
  /** The input of the step that failed. */
  readonly input: I;
}

/** Options of a loop. */
interface LoopOptions extends Pick<PolicyDraft, 'catch'> {
  /** A condition on `$output`, the output of a turn, such as `'$output.done'`: the loop ends with it. */
  readonly until: string;
  /** Turns at most; the loop ends with the output of the last one. Default: 1000. */
  readonly most?: number;
  /** The schemas of its input and of its output, against which the checker holds the condition. */
  readonly input?: z.ZodType;
  readonly output?: z.ZodType;
  /** The largest change that a repair may make of what comes to the loop. Default: none. */
  readonly repairable?: Repairable;
}

/** Collects the steps of a body: each runs when those before it are done. */
export interface Flow {
  /**
   * Adds a step and returns a reference to its output.
   *
   * @param id its name in this body, if the body has the step twice. Default: that of the step
   */
  step<I, O>(step: StepDefinition<I, O>, input: Given<NoInfer<I>>, id?: string): Ref<O>;
  /**
   * Adds a step that runs only where a step of this body fails whose `catch` names its id. Its input is a
   * {@link CaughtFailure}. The body continues with the step that is listed next, or ends here if it is the last.
   */
  caught<I, O>(step: StepDefinition<CaughtFailure<I>, O>, id?: string): Ref<O>;
  /** Waits for a message, `seconds` at most; its payload has the form of the schema. */
  wait<S extends z.ZodType>(
    message: string,
    payload: S,
    options?: { readonly seconds?: number; readonly id?: string },
  ): Ref<z.output<S>>;
  /** Runs bodies in parallel on one input; the output holds their outputs by name. */
  parallel<G extends AnyGiven, B extends Readonly<Record<string, Branch>>>(
    id: string,
    input: G,
    branches: B & { readonly [K in keyof B]: (flow: Flow, input: Ref<ValueOf<G>>) => AnyRef },
    options?: { readonly maxConcurrency?: number },
  ): Ref<{ [K in keyof B]: ValueOf<ReturnType<B[K]>> }>;
  /**
   * Continues with the first branch whose guard holds on the input, such as `'$input.amount > 100'`, else with
   * `otherwise`. The steps of a branch belong to this body; a branch without steps continues with the next step
   * of the body, and one that is the id of a later step continues there.
   */
  choose<G extends AnyGiven, B extends Readonly<Record<string, ChoiceBranch<never>>>>(
    id: string,
    input: G,
    branches: B & { readonly [K in keyof B]: ChoiceBranch<Ref<ValueOf<G>>> },
    options?: { readonly input?: z.ZodType; readonly repairable?: Repairable },
  ): Ref<BranchValue<B[keyof B]>>;
  /** Runs a body for each item of a list, at most `most` (default 1000) of them. */
  map<T, R extends AnyRef>(
    id: string,
    items: Given<readonly T[]>,
    body: (flow: Flow, item: Ref<T>) => R,
    options?: { readonly most?: number; readonly maxConcurrency?: number },
  ): Ref<ValueOf<R>[]>;
  /**
   * Runs a body again and again, first on `start`, then on its last output, until a condition on that holds; the
   * output is the last one.
   */
  loop<T, R extends AnyRef = RefTo<T>>(
    id: string,
    start: Given<T>,
    body: (flow: Flow, value: Ref<T>) => R,
    options: LoopOptions,
  ): Ref<ValueOf<R>>;
}

/** The parts that all bodies of a workflow share. */
export interface SharedParts {
  readonly policies: Record<string, PolicyDraft>;
  readonly schemas: NonNullable<WorkflowDraft['schemas']>;
  readonly steps: Map<string, StepDefinition<never, unknown>>;
}

/** A body that is being built. */
interface BodyDraft {
  readonly nodes: NodeDraft[];
  readonly edges: EdgeDraft[];
  output: string | string[];
}

/** An edge whose target is not known yet. */
type OpenEdge = Omit<EdgeDraft, 'to'>;

/** Builds a body: calls back with a flow and the input of the body. */
export function bodyOf(
  shared: SharedParts,
  build: (flow: Flow, input: never) => AnyRef,
): BodyDraft {
  const body: BodyDraft = { nodes: [], edges: [], output: 'input' };
  const repairable = new Map<string, Repairable>();
  let open: OpenEdge[] = [];

  const add = <T>(node: NodeDraft, change?: Repairable): Ref<T> => {
    if (body.nodes.some(({ id }) => id === node.id)) {
      const hint = 'give one of them another id';
      throw new InputError('duplicate_id', `${node.id} is used twice in one body`, hint);
    }
    if (change !== undefined) repairable.set(node.id, change);
    body.nodes.push(definedKeysOf(node));
    for (const edge of open) body.edges.push({ ...edge, to: node.id });
    open = [{ from: node.id }];
    return makeRef(body, [`outputs.${node.id}`]);
  };
  const addNext = <T>(node: NodeDraft, change?: Repairable): Ref<T> => {
    if (open.length === 0 && body.nodes.length > 0) {
      const hint = 'let a branch of the choice before it continue with the next step';
      throw new InputError('unreachable_step', `nothing leads to ${node.id}`, hint);
    }
    return add(node, change);
  };
  const inputFrom = (given: AnyGiven) => referencesOf(body, given);

  const flow: Flow = {
    step(step, given, id) {
      const node = taskOf(shared, step as never, id);
      return addNext({ ...node, input: inputFrom(given as AnyGiven) }, step.options.repairable);
    },
    caught(step, id) {
      const before = open;
      if (before.length === 0) {
        const hint = 'list it after the steps whose failures it catches';
        throw new InputError('unreachable_step', `nothing comes before ${id ?? step.name}`, hint);
      }
      open = [];
      const output = add(taskOf(shared, step as never, id), step.options.repairable);
      open = [...before, ...open];
      return output as never;
    },
    wait(message, payload, { seconds, id = message } = {}) {
      const policyRef =
        seconds === undefined ? undefined : addNamed(shared.policies, id, { wait: { seconds } });
      const output = jsonSchemaOf(payload, 'message', message, shared.schemas);
      return addNext({ id, type: 'wait', message, policyRef, io: { output } });
    },
    parallel(id, given, branches, options) {
      const bodies = Object.entries(branches).map(([name, build]) => [
        name,
        bodyOf(shared, build as Branch),
      ]);
      const input = inputFrom(given);
      const node = { ...options, id, input, branches: Object.fromEntries(bodies) };
      return addNext({ ...node, type: 'parallel' });
    },
    choose(id, given, branches, { input, repairable: change } = {}) {
      const io = ioOf(shared, id, { input });
      const value = addNext({ id, type: 'choice', input: inputFrom(given), io }, change);
      const ends: OpenEdge[] = [];
      const paths: string[] = [];
      for (const [guard, branch] of Object.entries(
        branches as Readonly<Record<string, ChoiceBranch<never>>>,
      )) {
        const edge: OpenEdge =
          guard === 'otherwise'
            ? { from: id, kind: 'default' }
            : { from: id, kind: 'branch', guard };
        if (typeof branch === 'string') {
          body.edges.push({ ...edge, to: branch });
          continue;
        }
        open = [edge];
        const result = branch(value as never);
        if (result !== undefined) paths.push(...[pathsOf(body, result)].flat());
        ends.push(...open);
      }
      open = ends;
      return makeRef(body, paths);
    },
    map(id, items, build, { most = 1000, ...options } = {}) {
      const policyRef = addNamed(shared.policies, id, { loopGuards: { maxIters: most } });
      const input = { items: pathsOf(body, items as AnyRef) };
      const inner = bodyOf(shared, build);
      const node = { ...options, id, policyRef, input, items: 'input.items', body: inner };
      return addNext({ ...node, type: 'map' });
    },
    loop(id, start, build, { until, most = 1000, catch: caught, repairable: change, ...forms }) {
      const policyRef = addNamed(shared.policies, id, {
        ...(caught && { catch: caught }),
        loopGuards: { maxIters: most },
      });
      const input = inputFrom(start as AnyGiven);
      const inner = bodyOf(shared, build as never);
      const io = ioOf(shared, id, forms);
      return addNext({ id, type: 'map', policyRef, input, until, io, body: inner }, change);
    },
  };
  body.output = pathsOf(body, build(flow, makeRef(body, ['input']) as never));
  const loose = open.find(({ kind }) => kind !== undefined);
  if (loose !== undefined) {
    const message = `a branch of ${loose.from} has no step, and none comes after it`;
    throw new InputError('no_branches', message, 'give the branch a step, or add one after it');
  }
  for (const edge of body.edges) {
    const change = repairable.get(edge.to);
    if (change !== undefined) edge.repairable = change;
  }
  return body;
}

/** The node of a step, without its input. */
function taskOf(
  shared: SharedParts,
  step: StepDefinition<never, unknown>,
  id: string = step.name,
): Extract<NodeDraft, { type: 'task' }> {
  const policyRef = addStep(shared, step);
  const { effect, undo, approval, role, capabilities, params, context, logSchemaRef, repair } =
    step.options;
  const { handler = step.name } = step.options;
  return {
    id,
    type: 'task',
    ...(id !== handler && { handler }),
    effect: effect ?? (undo === undefined ? 'none' : 'compensable'),
    ...(approval !== undefined && { approval }),
    policyRef,
    role,
    capabilities,
    params,
    context,
    logSchemaRef,
    repair,
    io: ioOf(shared, step.name, step.options),
  };
}

/** Adds a step to what the bodies share; returns the name of its policy, if it has one. */
function addStep(
  { steps, policies }: SharedParts,
  step: StepDefinition<never, unknown>,
): string | undefined {
  const known = steps.get(step.name);
  if (known !== undefined && known !== step) {
    const message = `two steps have the name ${step.name}`;
    throw new InputError('duplicate_step', message, 'use one step twice, or rename one');
  }
  steps.set(step.name, step);
  const policy = policyOfStep(step);
  return Object.keys(policy).length === 0 ? undefined : addNamed(policies, step.name, policy);
}

/** The schemas of a node. */
function ioOf(
  { schemas }: Pick<SharedParts, 'schemas'>,
  name: string,
  {
    input,
    output,
  }: { readonly input?: z.ZodType | undefined; readonly output?: z.ZodType | undefined },
): NonNullable<NodeDraft['io']> {
  return {
    ...(input && { input: jsonSchemaOf(input, 'input', `${name}Input`, schemas) }),
    ...(output && { output: jsonSchemaOf(output, 'output', `${name}Output`, schemas) }),
  };
}

/** The registry of the collected steps that have a handler. */
export function registryOf(steps: Iterable<StepDefinition<never, unknown>>): Registry {
  const handlers: Record<string, Handler> = {};
  const compensators: Record<string, Compensator> = {};
  const validators: Record<string, Validator> = {};
  const inputValidators: Record<string, Validator> = {};
  for (const step of steps) {
    const { name, options } = step;
    const handler = handlerOf(step);
    if (handler !== undefined) handlers[name] = handler;
    const compensator = compensatorOf(step);
    if (compensator !== undefined) compensators[compensatorName(name)] = compensator;
    const validator = validatorOf(step);
    if (validator !== undefined) validators[name] = validator;
    if (options.validateInput !== undefined) inputValidators[name] = options.validateInput;
  }
  const judgesInputs = Object.keys(inputValidators).length > 0;
  return { handlers, compensators, validators, ...(judgesInputs && { inputValidators }) };
}

/** The facts that the checker needs of all handlers, also of those that the registry of a run brings. */
export function knownHandlersOf(
  steps: Iterable<StepDefinition<never, unknown>>,
): NonNullable<KnownHandlers['handlers']> {
  const facts = [...steps].map(({ name, options: { handler = name, kind, covers } }) => [
    handler,
    { kind, covers },
  ]);
  return Object.fromEntries(facts);
}
