import type { Json } from '../log/entry.js';
import { committedOutputs } from './judge.js';
import { planWorkflow } from './plan.js';
import { isTaken } from './schedule.js';
import type { Effect, NodeState, RunState } from './state.js';

/** The state of a transaction in the three parts of SagaLLM (table 2 there). */
export interface TransactionState {
  /** The committed outputs by path, without those that were undone. */
  readonly application: Readonly<Record<string, Json>>;
  /** The operations: when and how often each was done, and how it can be undone. */
  readonly operation: readonly Operation[];
  /** Which edges of the workflow are satisfied; inside of bodies those of each execution. */
  readonly dependency: readonly Dependency[];
}

interface Operation {
  readonly nodeId: string;
  readonly status: NodeState['status'];
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  readonly error?: NodeState['error'] | undefined;
  readonly effect?: Pick<Effect, 'key' | 'effect' | 'compensator' | 'status' | 'externalRef'>;
}

interface Dependency {
  readonly from: string;
  readonly to: string;
  /** True if the edge was taken, false if it never will be, null while it is open. */
  readonly satisfied: boolean | null;
}

/** Splits the state of a run into application, operation and dependency state. */
export function describeState(state: RunState): TransactionState {
  return {
    application: committedOutputs(state),
    operation: [...state.nodes].map(([nodeId, node]) => operationOf(state, nodeId, node)),
    dependency: dependenciesOf(state),
  };
}

function operationOf({ effects }: RunState, nodeId: string, node: NodeState): Operation {
  const { status, attempt, startedAt, endedAt, error } = node;
  const registered = effects.get(nodeId);
  const operation = { nodeId, status, attempt, startedAt, endedAt, error };
  if (registered === undefined) return operation;
  const { key, effect, compensator, status: held, externalRef } = registered;
  return { ...operation, effect: { key, effect, compensator, status: held, externalRef } };
}

function dependenciesOf({ workflow, nodes }: RunState): Dependency[] {
  const { root, planOf } = planWorkflow(workflow);
  const dependencies: Dependency[] = [];
  const visit = (plan: typeof root, prefix: string): void => {
    for (const { node, out } of plan.nodes) {
      const path = `${prefix}${node.id}`;
      const state = nodes.get(path);
      for (const link of out) {
        const open = state === undefined || ['running', 'waiting'].includes(state.status);
        const satisfied = open ? null : isTaken(link, state, plan);
        const to = `${prefix}${plan.nodes[link.to].node.id}`;
        dependencies.push({ from: path, to, satisfied });
      }
      if (node.type === 'parallel') {
        for (const [name, body] of Object.entries(node.branches)) {
          visit(planOf(body), `${path}/${encodeURIComponent(name)}/`);
        }
      }
      if (node.type !== 'map') continue;
      for (let k = 0; k < (state?.iterations ?? 0); k++) visit(planOf(node.body), `${path}[${k}]/`);
    }
  };
  visit(root, '');
  return dependencies;
}
