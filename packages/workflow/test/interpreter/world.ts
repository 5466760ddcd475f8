import { virtualClock } from '@alas-jssp/core/virtual-clock';
import {
  type AuditableLog,
  createMemoryStore,
  type Json,
  type LogEntry,
  type NewRunOptions,
  type Registry,
  type RunResult,
  runWorkflow,
  type StepContext,
  WORKFLOW_SCHEMA,
  type Workflow,
  workflowSchema,
} from '../../src/index.js';

/** A workflow as tests write it: what the schema fills in is left out. */
export function flow(parts: Record<string, unknown>): Workflow {
  return workflowSchema.parse({ schema: WORKFLOW_SCHEMA, name: 'test', edges: [], ...parts });
}

/** Edges of a chain. */
export function chain(...ids: string[]): { from: string; to: string }[] {
  return ids.slice(1).map((to, k) => ({ from: ids[k], to }));
}

/** A task with an effect. */
export function effect(id: string, params: Record<string, Json> = {}): Record<string, unknown> {
  return { id, type: 'task', handler: 'effect', effect: 'compensable', policyRef: 'saga', params };
}

/** A task that computes. */
export function plain(id: string, params: Record<string, Json> = {}): Record<string, unknown> {
  return { id, type: 'task', handler: 'plain', params };
}

export const SAGA = { compensation: { handler: 'undo', safeReinvoke: true } };

/** The outside: a service that knows keys, so that asking twice does a thing once. */
export interface World {
  /** Effects that stand, by key, with the node that made them. */
  readonly standing: Map<string, string>;
  /** How often each effect came into being, by key. */
  readonly made: Map<string, number>;
  /** What was called, in order. */
  readonly calls: string[];
  readonly registry: Registry;
}

/**
 * A world with the handlers `plain` and `effect` and the compensator `undo`. Their nodes' params say
 * what befalls them: `fail` (an error code), `times` (so many attempts fail), `seconds` (it takes),
 * `deaf` (does not stop when aborted), `undoFails` (so many calls; `undoFailsUpTo`: so many attempts), `add` (to the number that is the
 * input).
 */
export function createWorld(): World {
  const standing = new Map<string, string>();
  const made = new Map<string, number>();
  const calls: string[] = [];
  const undone = new Map<string, number>();

  const befall = async ({ params, clock, signal, attempt }: StepContext): Promise<void> => {
    const { fail, times = Number.POSITIVE_INFINITY, seconds, deaf } = params;
    if (seconds !== undefined) {
      await clock.sleep(Number(seconds) * 1000, deaf === true ? undefined : signal);
    }
    if (fail !== undefined && attempt <= Number(times)) {
      throw Object.assign(new Error(`${fail} as requested`), { code: fail });
    }
  };
  const compute = (input: Json, { params }: StepContext): Json =>
    typeof input === 'number' ? input + Number(params.add ?? 1) : input;

  return {
    standing,
    made,
    calls,
    registry: {
      handlers: {
        plain: {
          kind: 'pure',
          run: (input: Json, context) => {
            calls.push(context.nodeId);
            const { fail, seconds } = context.params;
            if (fail === undefined && seconds === undefined) return compute(input, context);
            return befall(context).then(() => compute(input, context));
          },
        },
        effect: {
          run: async (input: Json, context) => {
            const { nodeId, idempotencyKey: key, params } = context;
            calls.push(nodeId);
            if (params.before === true) await befall(context);
            if (!standing.has(key)) {
              standing.set(key, nodeId);
              made.set(key, (made.get(key) ?? 0) + 1);
            }
            if (params.before !== true) await befall(context);
            return compute(input, context);
          },
          externalRef: () => 'ref',
        },
      },
      compensators: {
        undo: {
          run: async ({ idempotencyKey: key }, { nodeId, params, clock, signal, attempt }) => {
            calls.push(`undo ${nodeId}`);
            const before = undone.get(key) ?? 0;
            undone.set(key, before + 1);
            if (params.undoSeconds !== undefined) {
              await clock.sleep(Number(params.undoSeconds) * 1000, signal);
            }
            const fails = before < Number(params.undoFails ?? 0);
            if (fails || attempt <= Number(params.undoFailsUpTo ?? 0))
              throw new Error('cannot be undone');
            standing.delete(key);
          },
        },
      },
    },
  };
}

/** Runs a workflow in a world of its own, in time of its own. */
export async function runIn(
  workflow: Workflow,
  input: Json = 0,
  options: Partial<NewRunOptions> & { world?: World; log?: AuditableLog } = {},
): Promise<{ result: RunResult; world: World; entries: LogEntry[]; store: AuditableLog }> {
  const { world = createWorld(), log = createMemoryStore(), clock = virtualClock() } = options;
  const { runId = 'run' } = options;
  const all = { registry: world.registry, store: log, clock, unchecked: true, ...options, runId };
  const result = await runWorkflow(workflow, input, all);
  return { result, world, store: log, entries: [...log.read({ runId })] };
}

/** The entries of some types, as `type node`. */
export function entryLines(entries: readonly LogEntry[], ...types: string[]): string[] {
  return entries
    .filter(({ eventType }) => types.includes(eventType))
    .map(({ eventType, nodeId }) => `${eventType} ${nodeId}`);
}
