import { canonicalJson } from '../../core/canonical-json.js';
import { sha256 } from '../../core/sha256.js';
import type { Policy } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import type { LogStore } from '../log/store.js';
import type { Run } from './context.js';
import { type Datum, loggedDatum } from './datum.js';
import type { Payloads } from './payloads.js';
import type { NodePlan } from './plan.js';
import { readState } from './restore-point.js';
import type { Step } from './step.js';

const DEFAULT_TEMPLATE = '{runId}|{nodeId}|{inputHash}';

/** The key of an effect and the hash of the input that it is made from. */
export interface EffectKey {
  readonly key: string;
  /** SHA-256, hex, of the canonical JSON of the input. */
  readonly inputHash: string;
}

/**
 * The key that stands for an effect: made from the run, the node and the input alone, so that no
 * planner has a say in it and every attempt gets the same.
 */
export function keyOf(step: Pick<Step, 'run' | 'plan' | 'path' | 'input'>): EffectKey {
  const { template, scope } = templateOf(step.plan.policy);
  return makeKey(template, scope, step.run.runId, step.path, hashJson(step.input.json()));
}

/** How the keys of a node are made. */
export function templateOf({ idempotencyKey }: Policy): { template: string; scope: string } {
  return idempotencyKey ?? { template: DEFAULT_TEMPLATE, scope: 'node' };
}

/** Fills a template in. A resource belongs to no run: its keys are told apart by the scope only. */
export function makeKey(
  template: string,
  scope: string,
  runId: string,
  nodeId: string,
  inputHash: string,
): EffectKey {
  const fields: Record<string, string> = { runId, nodeId, inputHash };
  const key = template.replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
  return { key: scope === 'resource' ? `resource|${key}` : key, inputHash };
}

export function hashJson(json: Json): string {
  return sha256(canonicalJson(json));
}

/** The claim on a key before a step begins. */
export type Claim =
  /** Nobody has it: go on. */
  | { readonly status: 'free' }
  /** Another step has had this effect: its output. */
  | { readonly status: 'success'; readonly output: Datum; readonly from: string }
  /** Another step of this process is at it: wait and ask again. */
  | { readonly status: 'pending'; readonly wait: Promise<unknown> }
  /** It stands for another effect: a fault of the workflow. */
  | { readonly status: 'collision'; readonly with: string };

/** Resources that are being worked on in this process, by store and key. */
const busyResources = new WeakMap<LogStore, Map<string, Promise<unknown>>>();

/** The steps of this process that are at work, by key; those at resources over all runs. */
export function busyKeys(run: Run, { policy }: NodePlan): Map<string, Promise<unknown>> {
  if (policy.idempotencyKey?.scope !== 'resource') return run.pending;
  let busy = busyResources.get(run.store);
  if (busy === undefined) {
    busy = new Map();
    busyResources.set(run.store, busy);
  }
  return busy;
}

/**
 * Takes a key for a step until it is settled: one that failed keeps it until its effect is undone,
 * or the undoing would hit the effect of who takes the key next.
 */
export function holdKey(
  run: Run,
  path: string,
  busy: Map<string, Promise<unknown>>,
  key: string,
): void {
  const settled = new Promise<void>((resolve) => {
    run.holding.set(path, () => {
      busy.delete(key);
      run.holding.delete(path);
      resolve();
    });
  });
  busy.set(key, settled);
}

/** Asks what is known of the key of a step. */
export function claimKey(step: Step, key: string): Claim {
  const { run, plan, name, path } = step;
  const scope = plan.policy.idempotencyKey?.scope ?? 'node';
  const wait = busyKeys(run, plan).get(key);
  const known = run.state.keys.get(key);
  if (known !== undefined && known.nodeId !== path) {
    if (scope === 'node' || known.handler !== name) {
      return { status: 'collision', with: known.nodeId };
    }
    if (known.status === 'success') {
      const json = run.state.nodes.get(known.nodeId)?.output ?? null;
      const output = run.outputs.get(known.nodeId) ?? loggedDatum(json, step.handler.output);
      return { status: 'success', output, from: known.nodeId };
    }
  }
  if (wait !== undefined) return { status: 'pending', wait };
  return scope === 'resource' ? claimResource(step, key) : { status: 'free' };
}

/** Looks for the effect in all other runs of the store. */
function claimResource({ run, name, handler }: Step, key: string): Claim {
  for (const runId of run.store.runs()) {
    if (runId === run.runId || !mentions(run.store, runId, key)) continue;
    const other = readState(run.store, runId);
    const known = other.keys.get(key);
    if (known === undefined) continue;
    const from = `${runId}:${known.nodeId}`;
    if (known.handler !== name) return { status: 'collision', with: from };
    if (known.status !== 'success') continue;
    const output = loggedDatum(other.nodes.get(known.nodeId)?.output ?? null, handler.output);
    return { status: 'success', output, from };
  }
  return { status: 'free' };
}

function mentions(store: LogStore, runId: string, key: string): boolean {
  for (const { payload } of store.read({ runId, eventTypes: ['StartNode'] })) {
    if ((payload as Payloads['StartNode']).key === key) return true;
  }
  return false;
}
