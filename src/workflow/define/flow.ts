import type * as z from 'zod';
import { InputError } from '../../core/errors.js';
import type { Registry } from '../interpreter/registry.js';
import type { workflowSchema } from '../ir/workflow.js';
import {
  type AnyGiven,
  type AnyRef,
  type Given,
  makeRef,
  pathsOf,
  type Ref,
  referencesOf,
  type ValueOf,
} from './reference.js';
import { addNamed, jsonSchemaOf } from './schema.js';
import {
  compensatorName,
  compensatorOf,
  handlerOf,
  policyOfStep,
  type StepDefinition,
  validatorOf,
} from './step.js';

export type WorkflowDraft = z.input<typeof workflowSchema>;
type NodeDraft = WorkflowDraft['nodes'][number];
type EdgeDraft = WorkflowDraft['edges'][number];
type Branch = (flow: Flow, input: never) => AnyRef;

/** Collects the steps of a body: each runs after the steps before it. */
export interface Flow {
  /**
   * Adds a step and returns a reference to its output.
   *
   * @param id its id in this body if the body uses the step twice. Default: the step's name
   */
  step<I, O>(step: StepDefinition<I, O>, input: Given<NoInfer<I>>, id?: string): Ref<O>;
  /** Waits for a message; its payload matches the schema. */
  wait<S extends z.ZodType>(
    message: string,
    payload: S,
    options: { readonly seconds: number; readonly id?: string },
  ): Ref<z.output<S>>;
  /** Runs bodies in parallel on one input; the output holds their outputs by name. */
  parallel<G extends AnyGiven, B extends Readonly<Record<string, Branch>>>(
    id: string,
    input: G,
    branches: B & { readonly [K in keyof B]: (flow: Flow, input: Ref<ValueOf<G>>) => AnyRef },
    options?: { readonly maxConcurrency?: number },
  ): Ref<{ [K in keyof B]: ValueOf<ReturnType<B[K]>> }>;
  /**
   * Continues with the first branch whose guard holds on the input, such as `'$input.amount >
   * 100'`, else with `otherwise`. The branches' steps belong to this body.
   */
  choose<B extends Readonly<Record<string, () => AnyRef>>>(
    id: string,
    input: AnyGiven,
    branches: B,
  ): Ref<ValueOf<ReturnType<B[keyof B]>>>;
  /** Runs a body for each item of a list, at most `most` (default 1000) of them. */
  map<T, R extends AnyRef>(
    id: string,
    items: Given<readonly T[]>,
    body: (flow: Flow, item: Ref<T>) => R,
    options?: { readonly most?: number; readonly maxConcurrency?: number },
  ): Ref<ValueOf<R>[]>;
}

/** The parts that all bodies of a workflow share. */
export interface SharedParts {
  readonly policies: Record<string, NonNullable<WorkflowDraft['policies']>[string]>;
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
  let open: OpenEdge[] = [];

  const add = <T>(node: NodeDraft): Ref<T> => {
    if (body.nodes.some(({ id }) => id === node.id)) {
      const hint = 'give one of them another id';
      throw new InputError('duplicate_id', `${node.id} is used twice in one body`, hint);
    }
    body.nodes.push(node);
    for (const edge of open) body.edges.push({ ...edge, to: node.id });
    open = [{ from: node.id }];
    return makeRef(body, [`outputs.${node.id}`]);
  };
  const inputFrom = (given: AnyGiven) => referencesOf(body, given);

  const flow: Flow = {
    step(step, given, id = step.name) {
      const policyRef = addStep(shared, step as never);
      const { effect, undo, approval } = step.options;
      return add({
        id,
        type: 'task',
        ...(id !== step.name && { handler: step.name }),
        effect: effect ?? (undo === undefined ? 'none' : 'compensable'),
        ...(approval !== undefined && { approval }),
        policyRef,
        input: inputFrom(given as AnyGiven),
        io: ioOf(shared, step.name, step.options),
      });
    },
    wait(message, payload, { seconds, id = message }) {
      const policyRef = addNamed(shared.policies, id, { wait: { seconds } });
      const output = jsonSchemaOf(payload, 'message', message, shared.schemas);
      return add({ id, type: 'wait', message, policyRef, io: { output } });
    },
    parallel(id, given, branches, options) {
      const bodies = Object.entries(branches).map(([name, build]) => [
        name,
        bodyOf(shared, build as Branch),
      ]);
      const input = inputFrom(given);
      return add({ ...options, id, type: 'parallel', input, branches: Object.fromEntries(bodies) });
    },
    choose(id, given, branches) {
      add({ id, type: 'choice', input: inputFrom(given) });
      const ends: OpenEdge[] = [];
      const paths = Object.entries(branches).flatMap(([guard, build]) => {
        open =
          guard === 'otherwise'
            ? [{ from: id, kind: 'default' }]
            : [{ from: id, kind: 'branch', guard }];
        const path = pathsOf(body, build());
        ends.push(...open);
        return path;
      });
      open = ends;
      return makeRef(body, paths);
    },
    map(id, items, build, { most = 1000, ...options } = {}) {
      const policyRef = addNamed(shared.policies, id, { loopGuards: { maxIters: most } });
      const input = { items: pathsOf(body, items as AnyRef) };
      const inner = bodyOf(shared, build);
      return add({
        ...options,
        id,
        type: 'map',
        policyRef,
        input,
        items: 'input.items',
        body: inner,
      });
    },
  };
  body.output = pathsOf(body, build(flow, makeRef(body, ['input']) as never));
  const loose = open.find(({ kind }) => kind !== undefined);
  if (loose !== undefined) {
    const message = `a branch of ${loose.from} has no step, and none comes after it`;
    throw new InputError('no_branches', message, 'give the branch a step, or add one after it');
  }
  return body;
}

/** Adds a step to the shared parts and returns the name of its policy. */
function addStep({ steps, policies }: SharedParts, step: StepDefinition<never, unknown>): string {
  const known = steps.get(step.name);
  if (known !== undefined && known !== step) {
    const message = `two steps have the name ${step.name}`;
    throw new InputError('duplicate_step', message, 'use one step twice, or rename one');
  }
  steps.set(step.name, step);
  return addNamed(policies, step.name, policyOfStep(step));
}

function ioOf(
  { schemas }: SharedParts,
  name: string,
  { input, output }: StepDefinition<never, unknown>['options'],
): NonNullable<NodeDraft['io']> {
  return {
    ...(input && { input: jsonSchemaOf(input, 'input', `${name}Input`, schemas) }),
    ...(output && { output: jsonSchemaOf(output, 'output', `${name}Output`, schemas) }),
  };
}

/** The registry of the collected steps. */
export function registryOf(steps: Iterable<StepDefinition<never, unknown>>): Registry {
  const handlers: Record<string, Registry['handlers'][string]> = {};
  const compensators: Record<string, NonNullable<Registry['compensators']>[string]> = {};
  const validators: Record<string, NonNullable<Registry['validators']>[string]> = {};
  for (const step of steps) {
    handlers[step.name] = handlerOf(step);
    const compensator = compensatorOf(step);
    if (compensator !== undefined) compensators[compensatorName(step.name)] = compensator;
    const validator = validatorOf(step);
    if (validator !== undefined) validators[step.name] = validator;
  }
  return { handlers, compensators, validators };
}
