import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOneMachine } from '../../../src/search/bounds/one-machine.js';

interface Work {
  head: number;
  duration: number;
  tail: number;
}

const arbitraryWork = fc.array(
  fc.record({
    head: fc.nat(10),
    duration: fc.integer({ min: 1, max: 6 }),
    tail: fc.nat(10),
  }),
  { minLength: 2, maxLength: 5 },
);

/** Trial makespans from hopeless to easy. */
const arbitraryMakespan = fc.integer({ min: 15, max: 40 });

function tighten(works: Work[], makespan: number, before = new Uint8Array(works.length ** 2)) {
  const single = createOneMachine(8);
  const fill = (key: keyof Work) => single[key].set(works.map((work) => work[key]));
  fill('head');
  fill('duration');
  fill('tail');
  const order = () => Int32Array.from(works.keys());
  const holds = single.tighten(works.length, makespan, true, before, order(), order());
  const after = works.map((work, i) => ({ ...work, head: single.head[i], tail: single.tail[i] }));
  return { holds, after };
}

/** All orders of the indices 0 … count − 1. */
function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
  );
}

/** Earliest starts in an order, and latest ones; null if it takes longer than the makespan. */
function windows(works: Work[], order: number[], makespan: number) {
  const earliest: number[] = [];
  const latestEnd: number[] = [];
  let time = 0;
  for (const i of order) {
    earliest[i] = Math.max(time, works[i].head);
    time = earliest[i] + works[i].duration;
  }
  time = makespan;
  for (const i of order.toReversed()) {
    latestEnd[i] = Math.min(time, makespan - works[i].tail);
    time = latestEnd[i] - works[i].duration;
  }
  const fits = works.every((work, i) => earliest[i] + work.duration <= latestEnd[i]);
  return fits ? { earliest, latestEnd } : null;
}

test('no order that fits into the makespan is lost', () => {
  fc.assert(
    fc.property(arbitraryWork, arbitraryMakespan, fc.nat(), (works, makespan, choice) => {
      const orders = permutations(works.length).filter((order) => windows(works, order, makespan));
      const before = new Uint8Array(works.length ** 2);
      const [a, b] = [choice % works.length, (choice >> 8) % works.length];
      const settles = a !== b && choice % 3 === 0;
      if (settles) before[a * works.length + b] = 1;
      const { holds, after } = tighten(works, makespan, before);
      for (const order of orders) {
        if (settles && order.indexOf(a) > order.indexOf(b)) continue;
        const fit = windows(works, order, makespan);
        const isKept = after.every(
          ({ head, tail }, i) =>
            fit !== null && head <= fit.earliest[i] && makespan - tail >= fit.latestEnd[i],
        );
        if (!holds || !isKept) throw new Error(`lost: ${order}`);
      }
    }),
    { numRuns: 1500 },
  );
});

/** Every subset of some works, the empty one left out. */
function subsets(works: Work[]): Work[][] {
  if (works.length === 0) return [];
  const [first, ...others] = works;
  const rest = subsets(others);
  return [[first], ...rest, ...rest.map((subset) => [first, ...subset])];
}

const sum = (works: Work[]) => works.reduce((total, { duration }) => total + duration, 0);
const least = (works: Work[], key: 'head' | 'tail') => Math.min(...works.map((work) => work[key]));
const completion = (works: Work[]) =>
  Math.max(...subsets(works).map((subset) => least(subset, 'head') + sum(subset)));

/** What the rules of precedences and edges, by their definitions, still have to say. */
function omissions(works: Work[], makespan: number): string[] {
  const found: string[] = [];
  for (const set of subsets(works)) {
    if (least(set, 'head') + sum(set) + least(set, 'tail') > makespan) found.push('overload');
  }
  for (const work of works) {
    const others = works.filter((other) => other !== work);
    const room = makespan - work.head - work.duration;
    const first = others.filter(({ duration, tail }) => duration + tail > room);
    if (first.length > 0 && completion(first) > work.head) found.push('precedence');
    for (const set of subsets(others)) {
      const all = [work, ...set];
      const isLast = least(all, 'head') + sum(all) + least(set, 'tail') > makespan;
      if (isLast && completion(set) > work.head) found.push('edge');
    }
  }
  return found;
}

test('the fixpoint leaves nothing to the definitions of the rules, in either direction of time', () => {
  fc.assert(
    fc.property(arbitraryWork, arbitraryMakespan, (works, makespan) => {
      const { holds, after } = tighten(works, makespan);
      const turned = after.map(({ head, duration, tail }) => ({
        head: tail,
        duration,
        tail: head,
      }));
      if (holds) expect(omissions(after, makespan)).toEqual([]);
      if (holds) expect(omissions(turned, makespan)).toEqual([]);
      else expect(permutations(works.length).some((o) => windows(works, o, makespan))).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
