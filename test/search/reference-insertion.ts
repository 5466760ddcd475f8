import type { Instance } from '../../src/jssp/instance.js';
import { operationsOf, previousInJob } from './oracle.js';

/**
 * INSA by definition, without calendars: for every operation and every position the graph is
 * rebuilt, searched for cycles, and the longest path through the operation measured.
 *
 * @returns the order of each machine, operations of zero duration left out
 */
export function insertByDefinition(instance: Instance): number[][] {
  const { jobs, machines, machine, duration, jobOf, frozen } = instance;
  const ops = operationsOf(instance).filter((op) => duration[op] > 0);
  const orders: number[][] = Array.from({ length: machines }, () => []);
  const isFrozen = (op: number) => (frozen?.[op] ?? -1) >= 0;
  const byStart = ops
    .filter(isFrozen)
    .sort((a, b) => (frozen?.[a] ?? 0) - (frozen?.[b] ?? 0) || a - b);
  for (const op of byStart) orders[machine[op]].push(op);

  const works = Array.from({ length: jobs }, (_, job) =>
    ops.filter((op) => jobOf[op] === job).reduce((sum, op) => sum + duration[op], 0),
  );
  const longest = works.indexOf(Math.max(...works));
  const free = ops.filter((op) => !isFrozen(op));
  for (const op of free.filter((one) => jobOf[one] === longest)) orders[machine[op]].push(op);

  const rest = free.filter((op) => jobOf[op] !== longest);
  rest.sort((a, b) => duration[b] - duration[a] || a - b);
  for (const op of rest) {
    const order = orders[machine[op]];
    let best: { length: number; order: number[] } | null = null;
    for (let at = order.filter(isFrozen).length; at <= order.length; at++) {
      const tried = order.toSpliced(at, 0, op);
      const length = longestPathThrough(instance, orders.with(machine[op], tried), op);
      if (length !== null && (best === null || length < best.length)) {
        best = { length, order: tried };
      }
    }
    if (best === null) throw new Error(`no position for ${op}`);
    orders[machine[op]] = best.order;
  }
  return orders;
}

/** Null if the orders form a cycle. */
function longestPathThrough(instance: Instance, orders: number[][], op: number): number | null {
  const { operations, duration, release, frozen } = instance;
  const before: number[][] = operationsOf(instance).map((one) => {
    const previous = previousInJob(instance, one);
    return previous === null ? [] : [previous];
  });
  for (const order of orders) {
    for (let i = 1; i < order.length; i++) before[order[i]].push(order[i - 1]);
  }
  const behind: number[][] = operationsOf(instance).map((one) =>
    operationsOf(instance).filter((other) => before[other].includes(one)),
  );
  const head: number[] = [];
  for (let done = -1; done < head.filter((h) => h !== undefined).length; ) {
    done = head.filter((h) => h !== undefined).length;
    for (const one of operationsOf(instance)) {
      if (head[one] !== undefined || before[one].some((x) => head[x] === undefined)) continue;
      const own = Math.max(0, release?.[one] ?? 0, frozen?.[one] ?? 0);
      head[one] = Math.max(own, ...before[one].map((x) => head[x] + duration[x]));
    }
  }
  if (head.filter((h) => h !== undefined).length < operations) return null;
  const tail = (one: number): number =>
    Math.max(0, ...behind[one].map((x) => duration[x] + tail(x)));
  return head[op] + duration[op] + tail(op);
}
