// @ts-check
// How effects are undone: what builds on others before these, and what something that could not be
// undone builds on not at all.
import { given, maybe } from './expectation.mjs';
import { undoing } from './model-calls.mjs';
import { ancestorsOf, linksOf } from './model-values.mjs';

/** @typedef {import('./model.mjs').Effect} Effect */

/**
 * Undoes what is held of some effects, and says how that looks.
 *
 * @param {import('./model.mjs').World} world
 * @param {readonly Effect[]} effects their states are changed
 * @returns {import('./expectation.mjs').Part}
 */
export function undoAll({ workflow, script }, effects) {
  const held = effects.filter((one) => one.state === 'held' && one.compensation !== undefined);
  const builds = (/** @type {Effect} */ later, /** @type {Effect} */ earlier) =>
    dependsOn(workflow, later.path, earlier.path);
  const stuck = effects.filter(({ state }) => state === 'stuck');
  const left = [...held];
  /** @type {Effect[]} */
  const order = [];
  /** @type {import('./expectation.mjs').Part[]} */
  const parts = [];
  while (left.length > 0) {
    const next = left.findIndex((one) => !left.some((other) => builds(other, one)));
    const [effect] = left.splice(next, 1);
    const above = stuck.filter((other) => builds(other, effect));
    if (above.some(({ optional }) => !optional)) continue;
    const { part, stuck: isStuck } = undoing(script, effect.path, effect.compensation);
    order.push(effect);
    effect.state = isStuck ? 'stuck' : 'undone';
    if (isStuck) stuck.push(effect);
    // It may be that what it is built on by, and could not be undone, never began.
    if (above.length > 0) parts.push(maybe(part));
    // One that was stopped when it began may be undone though its call was never made.
    else parts.push(maybe(given(`start ${effect.path}`, part)));
  }
  /** @type {[number, number][]} */
  const edges = order.flatMap((one, k) =>
    order.flatMap((other, j) =>
      builds(other, one) ? [/** @type {[number, number]} */ ([j, k])] : [],
    ),
  );
  return { graph: parts, edges };
}

/**
 * Whether the step at a path builds on the one at another.
 *
 * @param {any} workflow
 * @param {string} later
 * @param {string} earlier
 */
function dependsOn(workflow, later, earlier) {
  const a = later.split('/');
  const b = earlier.split('/');
  let body = workflow;
  for (let k = 0; k < Math.min(a.length, b.length); ) {
    const [id, turn] = a[k].split(/[[\]]/);
    const [otherId, otherTurn] = b[k].split(/[[\]]/);
    if (id !== otherId) return ancestorsOf(linksOf(workflow, body), id).has(otherId);
    const node = body.nodes.find((/** @type {any} */ one) => one.id === id);
    if (node.type === 'parallel') {
      if (a[k + 1] !== b[k + 1]) return false;
      body = node.branches[decodeURIComponent(a[k + 1])];
      k += 2;
      continue;
    }
    if (turn !== otherTurn) return node.items === undefined && Number(turn) > Number(otherTurn);
    body = node.body;
    k++;
  }
  return false;
}
