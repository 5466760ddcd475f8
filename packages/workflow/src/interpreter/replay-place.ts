import type { LogEntry } from '../log/entry.js';
import type { LogStore } from '../log/store.js';
import type { Host } from './host.js';
import type { NodePlan } from './plan.js';
import {
  bodyOutput,
  branchScope,
  inputOf,
  type Sources,
  turnInput,
  turnScope,
} from './references.js';
import type { Registry } from './registry.js';
import { nodePath, type Scope } from './run.js';
import type { RunState } from './state.js';

/** The environment of a replay: hashes for keys, values and schemas, and no calls. */
export type ReplayHost = Pick<Host, 'digest' | 'decode' | 'check'>;

/** The state of a run up to an entry of its log, as a replay knows it. */
export interface Past extends Sources {
  readonly state: RunState;
  readonly root: Scope;
  readonly registry: Registry;
  readonly host: ReplayHost;
  readonly scopes: Map<string, Scope>;
  /** The version of the entry that stopped the run, if one did. */
  stoppedAt: number;
  /** The last entry of each type and node, by `type node`. */
  readonly entry: Map<string, LogEntry>;
}

/** A difference between a replay and the log. */
export interface Divergence {
  /** Of the entry that differs. */
  readonly version: number;
  readonly nodeId: string;
  /**
   * `code`: a pure step, a validator or a guard returns another result for the same input. `data`:
   * the log was changed, or values pass their codecs differently. `clock`: the result depended on
   * the time.
   */
  readonly cause: 'code' | 'data' | 'clock';
  readonly message: string;
}

/** The result of a check: nothing, that something was checked, or the difference. */
export type Checked = undefined | 'decision' | 'rerun' | Pick<Divergence, 'cause' | 'message'>;

/** An entry and its node. */
export interface Place {
  readonly past: Past;
  readonly store: LogStore;
  readonly entry: LogEntry;
  readonly scope: Scope;
  readonly plan: NodePlan;
}

/** The node at a path and its scope; of a path that ends in `/` the scope alone. */
export function replayPlaceOf(
  past: Past,
  path: string,
): { scope: Scope; plan: NodePlan } | undefined {
  const words = path.split('/');
  let scope = past.root;
  let plan: NodePlan | undefined;
  for (let k = 0; k < words.length; ) {
    const [id, turn] = words[k++].split(/[[\]]/);
    const next = scope.plan.byId.get(id);
    if (next === undefined) break;
    plan = next;
    const inner = innerScope(past, scope, plan, turn, words[k]);
    if (inner === undefined) return { scope, plan };
    if (plan.node.type === 'parallel') k++;
    scope = inner;
  }
  return plan === undefined ? undefined : { scope, plan };
}

function innerScope(
  past: Past,
  scope: Scope,
  plan: NodePlan,
  turn: string | undefined,
  branch: string | undefined,
): Scope | undefined {
  const { node } = plan;
  const part = node.type === 'map' ? turn : branch;
  if ((node.type !== 'map' && node.type !== 'parallel') || part === undefined) return undefined;
  const key = `${nodePath(scope, node.id)}:${part}`;
  const known = past.scopes.get(key);
  if (known !== undefined) return known;
  const input = inputOf(past, scope, plan);
  let inner: Scope;
  if (node.type === 'parallel') {
    inner = branchScope(past, scope, node, decodeURIComponent(part), input);
  } else {
    const index = Number(part);
    const last = index > 0 && node.items === undefined;
    const before = last ? innerScope(past, scope, plan, String(index - 1), undefined) : undefined;
    const output = before === undefined ? undefined : bodyOutput(past, before);
    inner = turnScope(past, scope, node, index, turnInput(past, node, input, index, output));
  }
  past.scopes.set(key, inner);
  return inner;
}
