import {
  type Compensator,
  type Handler,
  type Json,
  type LogStore,
  type NewRunOptions,
  type Registry,
  type RunResult,
  runWorkflow,
  type StepContext,
  WORKFLOW_SCHEMA,
  type Workflow,
  workflowSchema,
} from '../../src/index.js';

/** The outside as the programs of the promises see it: what is there, and what was asked of it. */
export interface Outside {
  /** Effects that are there, by key, with how many there are of each. */
  readonly there: Map<string, number>;
  /** Calls in order: the paths of nodes, `undo PATH` for compensators. */
  readonly calls: string[];
  readonly registry: Registry;
}

/**
 * The outside with the handler `act`, the compensator `undo` and the plain handler `plain`. Params of
 * their nodes say what befalls them: `after` (seconds until the effect is there), `deaf` (does not
 * stop when aborted), `then` (seconds from the effect to the answer), `fail` (an error code),
 * `undoAfter`.
 *
 * @param keyed false for a service that knows no keys: asked twice it acts twice
 */
export function createOutside(keyed = true): Outside {
  const there = new Map<string, number>();
  const calls: string[] = [];
  const wait = ({ clock, signal, params }: StepContext, seconds: Json | undefined) =>
    seconds === undefined
      ? undefined
      : clock.sleep(Number(seconds) * 1000, params.deaf === true ? undefined : signal);
  const act: Handler = {
    run: async (input: Json, context) => {
      const { nodeId, idempotencyKey: key, params } = context;
      calls.push(nodeId);
      await wait(context, params.after);
      if (!keyed || !there.has(key)) there.set(key, (there.get(key) ?? 0) + 1);
      await wait(context, params.then);
      if (params.fail !== undefined) fail(String(params.fail));
      return { made: nodeId, of: input };
    },
  };
  const plain: Handler = {
    run: async (input: Json, context) => {
      calls.push(context.nodeId);
      await wait(context, context.params.after);
      if (context.params.fail !== undefined) fail(String(context.params.fail));
      return input;
    },
  };
  const undo: Compensator = {
    run: async ({ idempotencyKey }, context) => {
      calls.push(`undo ${context.nodeId}`);
      await wait(context, context.params.undoAfter);
      there.delete(idempotencyKey);
    },
  };
  return { there, calls, registry: { handlers: { act, plain }, compensators: { undo } } };
}

/** Throws an error with a code. */
export function fail(code: string): never {
  throw Object.assign(new Error(`${code} as requested`), { code });
}

/** The nodes whose effects are there, sorted: keys begin with the run and the node. */
export function nodesThere({ there }: Outside): string[] {
  return [...there].flatMap(([key, count]) => Array(count).fill(key.split('|')[1])).sort();
}

/** A workflow of a chain of nodes, with what the schema fills in left out. */
export function program(nodes: readonly object[], parts: Record<string, unknown> = {}): Workflow {
  const ids = nodes.map((node) => (node as { id: string }).id);
  const edges = ids.slice(1).map((to, k) => ({ from: ids[k], to }));
  return workflowSchema.parse({
    schema: WORKFLOW_SCHEMA,
    name: 'promise',
    nodes,
    edges,
    ...parts,
    policies: { saga: SAGA, ...(parts.policies as object | undefined) },
  });
}

export const SAGA = { compensation: { handler: 'undo', safeReinvoke: true } };

/** A step with an effect. */
export function step(id: string, params: Record<string, Json> = {}, more: object = {}): object {
  const rest = { policyRef: 'saga', params, ...more };
  return { id, type: 'task', handler: 'act', effect: 'compensable', ...rest };
}

/** A step that computes. */
export function plainStep(
  id: string,
  params: Record<string, Json> = {},
  more: object = {},
): object {
  return { id, type: 'task', handler: 'plain', params, ...more };
}

/** How often entries of a type are in the log of a run. */
export function countOf(store: LogStore, runId: string, eventType: string): number {
  return [...store.read({ runId })].filter((entry) => entry.eventType === eventType).length;
}

/** Runs a workflow that says no more than it has to: the checker would ask for more. */
export function runUnchecked(
  workflow: Workflow,
  input: unknown,
  options: NewRunOptions,
): Promise<RunResult> {
  return runWorkflow(workflow, input, { ...options, unchecked: true });
}
