import type { Instance } from './instance.js';
import { modesOf, type ShopParts } from './shop-parts.js';

/**
 * The parts of a shop for some of its operations, renumbered in their order. Predecessors that are not among them no
 * longer count. O(N + M + E).
 *
 * @param kept the operations, ascending
 */
export function selectParts(instance: Instance, kept: ArrayLike<number>): ShopParts {
  const { setups, transport } = instance;
  const family = setups && Int32Array.from(kept, (op) => setups.family[op]);
  return {
    modes: selectModes(instance, kept),
    setups: setups && family && { ...setups, family },
    transport,
    precedence: selectPrecedence(instance, kept),
    resources: selectNeeds(instance, kept),
  };
}

/** The modes of the kept operations, in order. */
function modesIn(instance: Instance, kept: ArrayLike<number>): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < kept.length; i++) {
    const [first, stop] = modesOf(instance, kept[i]);
    for (let mode = first; mode < stop; mode++) numbers.push(mode);
  }
  return numbers;
}

function selectModes(instance: Instance, kept: ArrayLike<number>): ShopParts['modes'] {
  const { modes } = instance;
  if (modes === null) return null;
  const numbers = modesIn(instance, kept);
  const offset = new Int32Array(kept.length + 1);
  for (let i = 0; i < kept.length; i++) {
    const [first, stop] = modesOf(instance, kept[i]);
    offset[i + 1] = offset[i] + stop - first;
  }
  return {
    offset,
    machine: Int32Array.from(numbers, (mode) => modes.machine[mode]),
    duration: Int32Array.from(numbers, (mode) => modes.duration[mode]),
    chosen: Int32Array.from(kept, (op, i) => offset[i] + modes.chosen[op] - modes.offset[op]),
  };
}

function selectPrecedence(instance: Instance, kept: ArrayLike<number>): ShopParts['precedence'] {
  const { precedence, operations } = instance;
  if (precedence === null) return null;
  const place = new Int32Array(operations).fill(-1);
  for (let i = 0; i < kept.length; i++) place[kept[i]] = i;
  const offset = new Int32Array(kept.length + 1);
  const edges: number[] = [];
  for (let i = 0; i < kept.length; i++) {
    for (let edge = precedence.offset[kept[i]]; edge < precedence.offset[kept[i] + 1]; edge++) {
      if (place[precedence.pred[edge]] >= 0) edges.push(edge);
    }
    offset[i + 1] = edges.length;
  }
  return {
    offset,
    pred: Int32Array.from(edges, (edge) => place[precedence.pred[edge]]),
    minLag: Int32Array.from(edges, (edge) => precedence.minLag[edge]),
    maxLag: Int32Array.from(edges, (edge) => precedence.maxLag[edge]),
  };
}

function selectNeeds(instance: Instance, kept: ArrayLike<number>): ShopParts['resources'] {
  const { resources } = instance;
  if (resources === null) return null;
  const numbers = modesIn(instance, kept);
  const needOffset = new Int32Array(numbers.length + 1);
  const needs: number[] = [];
  numbers.forEach((mode, i) => {
    for (let need = resources.needOffset[mode]; need < resources.needOffset[mode + 1]; need++) {
      needs.push(need);
    }
    needOffset[i + 1] = needs.length;
  });
  return {
    ...resources,
    needOffset,
    needResource: Int32Array.from(needs, (need) => resources.needResource[need]),
    needAmount: Int32Array.from(needs, (need) => resources.needAmount[need]),
    needPhase: Uint8Array.from(needs, (need) => resources.needPhase[need]),
  };
}
