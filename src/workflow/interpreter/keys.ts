import { canonicalJson } from '../../core/canonical-json.js';
import type { Policy } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import type { Datum } from './datum.js';
import type { Failure } from './entries.js';
import { type Host, isPromise } from './host.js';
import { DEFAULT_SECONDS, makeFailure } from './policies.js';
import type { Run, Step } from './run.js';
import { standsForSure } from './state.js';
import { pause } from './waiting.js';

const DEFAULT_TEMPLATE = '{runId}|{nodeId}|{inputHash}';

/** How often another run's claim is looked at, in milliseconds. */
const LOOK = 200;

/** The key of an effect and the hash of the input that it is made from. */
export interface EffectKey {
  readonly key: string;
  /** SHA-256, hex, of the canonical JSON of the input. */
  readonly inputHash: string;
}

/** The parts that a key is made of. */
export interface KeyParts {
  readonly policy: Policy;
  readonly runId: string;
  readonly nodeId: string;
  readonly input: Json;
  /** How often the node was taken back. */
  readonly round: number;
}

/**
 * The key that stands for an effect: made from the run, the node and the input alone, so that no
 * planner has a say in it and every attempt gets the same. A resource belongs to no run: its keys
 * are told apart by the scope only, also when the run takes it back and makes its effect again.
 */
export function makeKey({ digest }: Pick<Host, 'digest'>, parts: KeyParts): EffectKey {
  const { policy, runId, nodeId, input, round } = parts;
  const { template = DEFAULT_TEMPLATE, scope = 'node' } = policy.idempotencyKey ?? {};
  const inputHash = digest(canonicalJson(input));
  const fields: Record<string, string> = { runId, nodeId, inputHash };
  const key = template.replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
  if (scope === 'resource') return { key: `resource|${key}`, inputHash };
  return { key: round === 0 ? key : `${key}~${round + 1}`, inputHash };
}

/** The key of a step. */
export function keyOf({ run, plan, path, input }: Step): EffectKey {
  const { runId, rounds } = run.state;
  const { policy } = plan;
  const round = rounds.get(path) ?? 0;
  return makeKey(run.host, { policy, runId, nodeId: path, input: input.json(), round });
}

/** Whether the keys of a step stand for something that other runs want, too. */
export function isResource({ plan }: Pick<Step, 'plan'>): boolean {
  return plan.policy.idempotencyKey?.scope === 'resource';
}

/**
 * Takes a key for a step until it is settled: one that failed keeps it until its effect is undone,
 * or the undoing would hit the effect of who takes the key next.
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

/** The end of asking for a key. */
export type KeyGrant =
  /** It is this step's: go on. */
  | { readonly status: 'granted' }
  /** The effect is there: its output, and whose it is. */
  | { readonly status: 'there'; readonly output: Datum; readonly from: string }
  | { readonly status: 'refused'; readonly failure: Failure };

/**
 * Asks for the key of a step and takes it: waits while another step, or another run, is at the same
 * effect.
 *
 * @returns `refused` if the key stands for another effect or another input, if waiting takes longer
 *   than the policy allows, or if the step is stopped meanwhile
 */
export async function obtainKey(step: Step, { key, inputHash }: EffectKey): Promise<KeyGrant> {
  const { run, scope, plan, name, path, task } = step;
  const { host, state } = run;
  const refuse = (code: string, message: string): KeyGrant => {
    return { status: 'refused', failure: makeFailure(code, message, path, plan) };
  };
  const collision = (other: string) =>
    refuse('IdempotencyCollision', `its key ${key} stands for another effect, of ${other}`);
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
        // It is being undone: when that is done, the key is free.
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
      return refuse('ClaimTimeout', `nobody has said for ${seconds} s whose its key ${key} is`);
    }
    const from = `${claim.runId}:${claim.nodeId}`;
    if (claim.handler !== name || claim.inputHash !== inputHash) return collision(from);
    if (claim.committed) {
      const output = host.decode(task, 'output', claim.output ?? null);
      return { status: 'there', output, from };
    }
    if (host.now() >= until) {
      return refuse('ClaimTimeout', `${from} has had its key ${key} for ${seconds} s`);
    }
    await pause(run, Math.min(until, host.now() + LOOK), scope.stops);
  }
}

/** Whether the effect of a step that was done may be given to others: its undoing has not begun. */
export function isThere({ state }: Pick<Run, 'state'>, path: string): boolean {
  const effect = state.effects.get(path);
  return effect === undefined || standsForSure(effect);
}

/** Waits until a key is free again, however long that takes, or until the scope is stopped. */
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
