import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Policy } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure } from './entries.js';
import { type Host, isPromise } from './host.js';
import { DEFAULT_SECONDS, makeFailure } from './policies.js';
import type { Run, Step } from './run.js';
import { certainlyExists } from './state.js';
import { pause } from './waiting.js';

const DEFAULT_TEMPLATE = '{runId}|{nodeId}|{inputHash}';

/** How often another run's claim is polled, in milliseconds. */
const LOOK = 200;

/** The key of an effect and the hash of the input that it is made from. */
export interface EffectKey {
  readonly key: string;
  /** SHA-256, hex, of the canonical JSON of the input. */
  readonly inputHash: string;
}

/** The parts from which a key is made. */
export interface KeyParts {
  readonly policy: Policy;
  readonly runId: string;
  readonly nodeId: string;
  readonly input: Json;
  /** How often the node was reset. */
  readonly resets: number;
}

/**
 * The key of an effect: made from the run, the node and the input alone, so that no planner
 * influences it and all attempts have the same. A resource belongs to no run: its keys differ by
 * the scope only, also when the run undoes its effect and makes it again.
 */
export function makeKey({ digest }: Pick<Host, 'digest'>, parts: KeyParts): EffectKey {
  const { policy, runId, nodeId, input, resets } = parts;
  const { template = DEFAULT_TEMPLATE, scope = 'node' } = policy.idempotencyKey ?? {};
  const inputHash = digest(canonicalJson(input));
  const fields: Record<string, string> = { runId, nodeId, inputHash };
  const key = template.replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
  if (scope === 'resource') return { key: `resource|${key}`, inputHash };
  return { key: resets === 0 ? key : `${key}~${resets + 1}`, inputHash };
}

/** The key of a step. */
export function keyOf({ run, plan, path, input }: Step): EffectKey {
  const { runId } = run.state;
  const { policy } = plan;
  const resets = run.state.resets.get(path) ?? 0;
  return makeKey(run.host, { policy, runId, nodeId: path, input: input.json(), resets });
}

/** Whether other runs may want the keys of a step, too. */
export function isResource({ plan }: Pick<Step, 'plan'>): boolean {
  return plan.policy.idempotencyKey?.scope === 'resource';
}

/**
 * Holds a key for a step until it is settled: a failed step keeps it until its effect is undone, or
 * the undo would hit the effect of the next owner of the key.
 */
export function holdKey({ busyKeys, holding }: Run, path: string, key: string): void {
  const settled = new Promise<void>((resolve) => {
    holding.set(path, () => {
      busyKeys.delete(key);
      holding.delete(path);
      resolve();
    });
  });
  busyKeys.set(key, settled);
}

/** The outcome of a request for a key. */
export type KeyGrant =
  /** The step has the key. */
  | { readonly status: 'granted' }
  /** The effect exists: its output, and the step that made it. */
  | { readonly status: 'there'; readonly output: EncodedValue; readonly from: string }
  | { readonly status: 'refused'; readonly failure: Failure };

/**
 * Requests the key of a step and holds it: waits while another step, or another run, works on the
 * same effect.
 *
 * @returns `refused` if the key belongs to another effect or another input, if the wait exceeds the
 *   policy's limit, or if the step is stopped meanwhile
 */
export async function obtainKey(step: Step, { key, inputHash }: EffectKey): Promise<KeyGrant> {
  const { run, scope, plan, name, path, task } = step;
  const { host, state } = run;
  const refuse = (code: string, message: string): KeyGrant => {
    return { status: 'refused', failure: makeFailure(code, message, path, plan) };
  };
  const collision = (other: string) =>
    refuse('IdempotencyCollision', `its key ${key} belongs to another effect, of ${other}`);
  const seconds = plan.policy.wait?.seconds ?? DEFAULT_SECONDS.claim;
  const until = host.now() + seconds * 1000;
  const onStop = (stop: () => void) => {
    scope.stops.add(stop);
    return () => void scope.stops.delete(stop);
  };
  const sameNode = (plan.policy.idempotencyKey?.scope ?? 'node') === 'node';
  for (;;) {
    if (scope.stopped !== undefined) return { status: 'refused', failure: scope.stopped };
    const own = state.keys.get(key);
    if (own !== undefined && own.nodeId !== path) {
      const input = own.input === '' || own.input === inputHash;
      if (sameNode || own.handler !== name || !input) return collision(own.nodeId);
      if (own.status === 'success' && isThere(run, own.nodeId)) {
        const json = state.nodes.get(own.nodeId)?.output ?? null;
        const output = run.outputs.get(own.nodeId) ?? host.decode(task, 'output', json);
        return { status: 'there', output, from: own.nodeId };
      }
      if (own.status === 'success') {
        // It is being undone: the key is free after that.
        if (host.now() >= until) {
          return refuse(
            'ClaimTimeout',
            `the effect of ${own.nodeId} with its key ${key} is not undone`,
          );
        }
        await pause(run, Math.min(until, host.now() + LOOK), scope.stops);
        continue;
      }
    }
    const busy = run.busyKeys.get(key);
    if (busy !== undefined) {
      await releasedOrStopped(busy, scope);
      continue;
    }
    const wanted = { nodeId: path, handler: name, inputHash, until, onStop };
    const asked = isResource(step) ? host.claimOf(key, wanted) : undefined;
    const claim = isPromise(asked) ? await asked : asked;
    if (claim === undefined || (claim !== 'unanswered' && claim.runId === state.runId)) {
      holdKey(run, path, key);
      return { status: 'granted' };
    }
    if (claim === 'unanswered') {
      if (scope.stopped !== undefined || host.now() < until) continue;
      return refuse('ClaimTimeout', `the owner of its key ${key} was unknown for ${seconds} s`);
    }
    const from = `${claim.runId}:${claim.nodeId}`;
    if (claim.handler !== name || claim.inputHash !== inputHash) return collision(from);
    if (claim.committed) {
      const output = host.decode(task, 'output', claim.output ?? null);
      return { status: 'there', output, from };
    }
    if (host.now() >= until) {
      return refuse('ClaimTimeout', `${from} has held its key ${key} for ${seconds} s`);
    }
    await pause(run, Math.min(until, host.now() + LOOK), scope.stops);
  }
}

/** Whether other steps may receive the effect of a step that is done: its undoing has not begun. */
export function isThere({ state }: Pick<Run, 'state'>, path: string): boolean {
  const effect = state.effects.get(path);
  return effect === undefined || certainlyExists(effect);
}

/** Waits until a key is released, however long that takes, or until the scope is stopped. */
function releasedOrStopped(busy: Promise<void>, { stops }: Step['scope']): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stops.delete(go);
      resolve();
    };
    stops.add(go);
    void busy.then(go);
  });
}
