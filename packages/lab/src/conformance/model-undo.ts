// How effects are undone: what builds on others before these, and what something that could not be
// undone builds on not at all.

import type { Body, Compensation, Workflow } from '@alas-jssp/workflow';
import { given, maybe, type Part } from './expectation.js';
import type { FaultScript } from './fault-script.js';
import { undoing } from './model-calls.js';
import { ancestorsOf, linksOf } from './model-values.js';

/** An effect that came about, or may have. */
export interface Effect {
  path: string;
  /** Undefined if nothing undoes it. */
  compensation: Compensation | undefined;
  /** It may have been stopped before it began. */
  optional: boolean;
  state: 'held' | 'undone' | 'stuck' | 'absent' | 'doubt';
}

/** A workflow under a script. */
export interface World {
  workflow: Workflow;
  script: FaultScript;
  /** Inputs of handlers, by path. */
  inputs: Record<string, unknown>;
}

/**
 * Undoes what is held of some effects, and says how that looks.
 *
 * @param effects their states are changed
 */
export function undoAll({ workflow, script }: World, effects: readonly Effect[]): Part {
  const held = effects.filter((one) => one.state === 'held' && one.compensation !== undefined);
  const builds = (later: Effect, earlier: Effect) => dependsOn(workflow, later.path, earlier.path);
  const stuck = effects.filter(({ state }) => state === 'stuck');
  const left = [...held];

  const order: Effect[] = [];

  const parts: Part[] = [];
  while (left.length > 0) {
    const next = left.findIndex((one) => !left.some((other) => builds(other, one)));
    const [effect] = left.splice(next, 1);
    const above = stuck.filter((other) => builds(other, effect));
    if (above.some(({ optional }) => !optional)) continue;
    const { part, stuck: isStuck } = undoing(
      script,
      effect.path,
      effect.compensation as Compensation,
    );
    order.push(effect);
    effect.state = isStuck ? 'stuck' : 'undone';
    if (isStuck) stuck.push(effect);
    // It may be that what it is built on by, and could not be undone, never began.
    if (above.length > 0) parts.push(maybe(part));
    // One that was stopped when it began may be undone though its call was never made.
    else parts.push(maybe(given(`start ${effect.path}`, part)));
  }

  const edges: [number, number][] = order.flatMap((one, k) =>
    order.flatMap((other, j) => (builds(other, one) ? [[j, k]] : [])),
  );
  return { graph: parts, edges };
}

/** Whether the step at a path builds on the one at another. */
function dependsOn(workflow: Workflow, later: string, earlier: string) {
  const a = later.split('/');
  const b = earlier.split('/');
  let body: Body = workflow;
  for (let k = 0; k < Math.min(a.length, b.length); ) {
    const [id, turn] = a[k].split(/[[\]]/);
    const [otherId, otherTurn] = b[k].split(/[[\]]/);
    if (id !== otherId) return ancestorsOf(linksOf(workflow, body), id).has(otherId);
    const node = body.nodes.find((one) => one.id === id);
    if (node?.type === 'parallel') {
      if (a[k + 1] !== b[k + 1]) return false;
      body = node.branches[decodeURIComponent(a[k + 1])];
      k += 2;
      continue;
    }
    if (node?.type !== 'map') return false;
    if (turn !== otherTurn) return node.items === undefined && Number(turn) > Number(otherTurn);
    body = node.body;
    k++;
  }
  return false;
}
