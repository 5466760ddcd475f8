import type { Instance } from '../../../../src/jssp/instance.js';

/**
 * The least makespan of a tiny shop with alternatives, setups, transport, minimum lags, releases and precedence graphs
 * (no downtimes, maximum lags, resources or frozen starts), by enumeration: operations are appended to their machines
 * in every order and mode, each as early as it can. Written from the description of the model.
 */
export function leastMakespan(shop: Instance): number {
  const { operations, jobOffset, jobOf, machines, release, setups, transport, precedence } = shop;
  const offset = shop.modes?.offset ?? Int32Array.from({ length: operations + 1 }, (_, i) => i);
  const machine = shop.modes?.machine ?? shop.machine;
  const duration = shop.modes?.duration ?? shop.duration;
  const end = new Array<number>(operations).fill(-1);
  const place = new Array<number>(operations).fill(-1);
  const last = new Array<number>(machines).fill(-1);
  const edges = Array.from({ length: operations }, (_, op): (readonly [number, number])[] => {
    if (precedence === null) return op > jobOffset[jobOf[op]] ? [[op - 1, 0]] : [];
    const slots = [...precedence.pred.keys()].slice(
      precedence.offset[op],
      precedence.offset[op + 1],
    );
    return slots.map((slot) => [precedence.pred[slot], precedence.minLag[slot]]);
  });
  let least = Number.POSITIVE_INFINITY;

  const startOf = (op: number, mode: number): number => {
    const k = machine[mode];
    let ready = release?.[op] ?? 0;
    for (const [before, lag] of edges[op]) {
      const travel = transport?.time[place[before] * machines + k] ?? 0;
      ready = Math.max(ready, end[before] + travel + lag);
    }
    if (duration[mode] === 0) return ready;
    const before = last[k];
    const free = before < 0 ? 0 : end[before];
    if (setups === null || setups.matrixOf[k] < 0) return Math.max(ready, free);
    const { families, family, time, first, anticipatory } = setups;
    const matrix = setups.matrixOf[k] * families;
    const setup =
      before < 0
        ? first[matrix + family[op]]
        : time[(matrix + family[before]) * families + family[op]];
    const waits = setup > 0 && anticipatory[k] === 0;
    return Math.max(ready + (waits ? setup : 0), free + setup);
  };

  const append = (done: number, makespan: number): void => {
    if (makespan >= least) return;
    if (done === operations) {
      least = makespan;
      return;
    }
    for (let op = 0; op < operations; op++) {
      if (end[op] >= 0 || edges[op].some(([before]) => end[before] < 0)) continue;
      for (let mode = offset[op]; mode < offset[op + 1]; mode++) {
        const k = machine[mode];
        const before = last[k];
        end[op] = startOf(op, mode) + duration[mode];
        place[op] = k;
        if (duration[mode] > 0) last[k] = op;
        append(done + 1, Math.max(makespan, end[op]));
        last[k] = before;
        end[op] = -1;
      }
    }
  };
  append(0, 0);
  return least;
}
