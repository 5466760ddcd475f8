import type { Trail } from '../learning/trail.js';
import type { ShopModel } from './shop-model.js';

/** The initial activity of variables: pairs with little slack first, modes before pairs of as little slack. */
export function initialActivity(model: ShopModel, makespan: number, variant: number): Float64Array {
  const { variables, modeVariables, modeOfVariable, from, to, head, duration, tail } = model;
  const activity = new Float64Array(variables);
  const best = bestModes(model);
  const slack = (x: number, y: number) =>
    Math.max(1, makespan + 1 - head[x] - duration[x] - duration[y] - tail[y]);
  const shake = (v: number) => 1 + (variant * ((v * (1 + 2 * variant)) % 7)) / 7;
  for (let v = 0; v < modeVariables; v++) {
    const mode = modeOfVariable[v];
    const room = Math.max(1, makespan + 1 - head[mode] - duration[mode] - tail[mode]);
    activity[v] = (2 * shake(v)) / room;
  }
  for (let v = modeVariables; v < variables; v++) {
    const a = best[from[2 * (v - modeVariables)]];
    const b = best[to[2 * (v - modeVariables)]];
    activity[v] = shake(v) / Math.sqrt(slack(a, b) * slack(b, a));
  }
  return activity;
}

/** The initial choices, as the last bit of a literal: the mode of the shortest way, and orders by heads and tails. */
export function initialPhases(model: ShopModel): Uint8Array {
  const { variables, modeVariables, modeOfVariable, operation, from, to } = model;
  const { head, tail, duration } = model;
  const phase = new Uint8Array(variables);
  const best = bestModes(model);
  for (let v = 0; v < modeVariables; v++) {
    const mode = modeOfVariable[v];
    phase[v] = best[operation[mode]] === mode ? 0 : 1;
  }
  const middle = (mode: number) => head[mode] - tail[mode] - duration[mode] / 2;
  for (let v = modeVariables; v < variables; v++) {
    const a = best[from[2 * (v - modeVariables)]];
    const b = best[to[2 * (v - modeVariables)]];
    phase[v] = middle(a) <= middle(b) ? 0 : 1;
  }
  return phase;
}

/** The mode of each operation with the shortest way through its job. */
function bestModes({ operations, modeOffset, head, duration, tail }: ShopModel): Int32Array {
  const best = new Int32Array(operations);
  const way = (mode: number) => head[mode] + duration[mode] + tail[mode];
  for (let op = 0; op < operations; op++) {
    best[op] = modeOffset[op];
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (way(mode) < way(best[op])) best[op] = mode;
    }
  }
  return best;
}

/**
 * Creates a listener for modes that are used: the pairs of their operation with others that are used on the machine
 * become candidates for decisions.
 */
export function createWaking(
  { placeOffset, placesOf, members, operation, literalOf, use }: ShopModel,
  { value }: Trail,
  insert: (variable: number) => void,
): (mode: number) => void {
  return (mode) => {
    for (let x = placeOffset[mode]; x < placeOffset[mode + 1]; x++) {
      for (const other of members[placesOf[x]]) {
        if (use[other] >= 0 && value[use[other]] !== 1) continue;
        const literal = literalOf(operation[mode], operation[other]);
        if (literal >= 0) insert(literal >> 1);
      }
    }
  };
}
