import type { ShopFacts } from './facts.js';
import { componentsOf } from './machine-components.js';
import type { ShopModel } from './shop-model.js';

/**
 * A limit of the modes that can be used together: the sum of their costs is at most `room`. Costs and room are integers
 * and small enough for sums to be exact.
 */
export interface LoadBudget {
  /** By mode. */
  readonly cost: Float64Array;
  readonly room: number;
  /** The operations with a cost. */
  readonly operations: Int32Array;
}

/** Work in a time span of a machine: at most its length, from the head `from` up to `to` before the makespan. */
interface MachineSpan {
  readonly machine: number;
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Heads, and tails, of each machine at which spans begin and end. */
const LEVELS = 4;
/** Steps towards better weights of spans. */
const STEPS = 150;
/** Integer weights add up to about this, or less if sums would not be exact. */
const SCALE = 2 ** 18;
/** The weight at first of spans other than the longest one of each machine. */
const FIRST_SHARE = 0.05;
/** Budgets of which less is needed do not limit anything. */
const LEAST_NEED = 0.7;

/**
 * Derives budgets from heads and tails. In a time span of a machine, all modes that are used on it do at least so much
 * work (energetic reasoning; Baptiste, Le Pape and Nuijten 2001, doi:10.1007/978-1-4615-1479-4): all of their work if
 * they can only be done inside, otherwise what is left inside if they are as early or as late as possible. Any weights
 * of the spans give a budget; good ones are those of the dual of the linear program in which operations are divided
 * among their modes (Lenstra, Shmoys and Tardos 1990, doi:10.1007/BF01585745), by multiplicative updates (Plotkin,
 * Shmoys and Tardos 1995, doi:10.1287/moor.20.2.257).
 *
 * With setups: the first one of those inside a span may begin before it because of a downtime, but then the machine is
 * idle for as long before its operation; all others are after another operation.
 *
 * @param limit the makespan
 */
export function createLoadBudgets(model: ShopModel, facts: ShopFacts, limit: number): LoadBudget[] {
  const isOpen = (mode: number) => facts.useOf(mode) !== -1;
  const budgets: LoadBudget[] = [];
  for (const { machines, operations } of componentsOf(model, isOpen)) {
    if (machines.length < 2) continue;
    const spans = machines.flatMap((k) => spansOf(model, facts, limit, k));
    const budget = bestBudget(model, facts, spans, operations);
    if (budget !== null) budgets.push(budget);
  }
  return budgets;
}

function spansOf(
  model: ShopModel,
  facts: ShopFacts,
  limit: number,
  machine: number,
): MachineSpan[] {
  const { setup, members } = model;
  const open = members[machine].filter((mode) => facts.useOf(mode) !== -1);
  const heads = levelsOf(open.map((mode) => facts.boundOf(0, mode) - setup[mode]));
  const tails = levelsOf(open.map((mode) => facts.boundOf(1, mode)));
  const spans: MachineSpan[] = [];
  for (const from of heads) {
    for (const to of tails) {
      const length = limit - from - to;
      if (length > 0) spans.push({ machine, from, to, length });
    }
  }
  return spans;
}

/** Some of the distinct times, the least one first. */
function levelsOf(times: Int32Array): number[] {
  const all = [...new Set(times)].sort((a, b) => a - b);
  const step = Math.max(1, all.length / LEVELS);
  const levels: number[] = [];
  for (let x = 0; x < all.length; x += step) levels.push(all[Math.floor(x)]);
  return levels;
}

/** The least work of a mode in a span of its machine. */
function workInside(
  { duration, setup }: ShopModel,
  facts: ShopFacts,
  span: MachineSpan,
  mode: number,
): number {
  const time = duration[mode];
  const early = facts.boundOf(0, mode) - setup[mode] - span.from;
  const late = facts.boundOf(1, mode) - span.to;
  if (early >= 0 && late >= 0) return time + setup[mode];
  if (setup[mode] > 0) return 0;
  return Math.max(0, Math.min(time, span.length, early + time, late + time));
}

/** The pairs of a mode and a span with work in it, by mode. */
function shareWork(
  model: ShopModel,
  facts: ShopFacts,
  spans: readonly MachineSpan[],
  operations: Int32Array,
) {
  const spansOn = new Map<number, number[]>();
  spans.forEach(({ machine }, s) => {
    const known = spansOn.get(machine);
    if (known === undefined) spansOn.set(machine, [s]);
    else known.push(s);
  });
  const offset = new Int32Array(model.modes + 1);
  const span: number[] = [];
  const work: number[] = [];
  const isInside = new Uint8Array(model.operations);
  for (const op of operations) isInside[op] = 1;
  for (let mode = 0; mode < model.modes; mode++) {
    const isCounted = isInside[model.operation[mode]] === 1 && model.duration[mode] > 0;
    if (isCounted && facts.useOf(mode) !== -1) {
      for (const s of spansOn.get(model.machine[mode]) ?? []) {
        const inside = workInside(model, facts, spans[s], mode);
        if (inside === 0) continue;
        span.push(s);
        work.push(inside);
      }
    }
    offset[mode + 1] = span.length;
  }
  return { offset, span: Int32Array.from(span), work: Float64Array.from(work) };
}

/** The budget of the weights by which most of the room is needed; null if that is little. */
function bestBudget(
  model: ShopModel,
  facts: ShopFacts,
  spans: readonly MachineSpan[],
  operations: Int32Array,
): LoadBudget | null {
  const { modeOffset } = model;
  const { offset, span, work } = shareWork(model, facts, spans, operations);
  const longest = new Map<number, number>();
  for (const { machine, length } of spans) {
    longest.set(machine, Math.max(length, longest.get(machine) ?? 0));
  }
  const weight = Float64Array.from(spans, ({ machine, length }) =>
    length === longest.get(machine) ? 1 : FIRST_SHARE,
  );
  const load = new Float64Array(spans.length);
  const best = new Float64Array(spans.length);
  let most = 0;
  const costOf = (mode: number): number => {
    let cost = 0;
    for (let x = offset[mode]; x < offset[mode + 1]; x++) cost += weight[span[x]] * work[x];
    return cost;
  };
  for (let step = 0; step < STEPS; step++) {
    let needed = 0;
    load.fill(0);
    for (const op of operations) {
      let cheapest = -1;
      let least = Infinity;
      for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
        if (facts.useOf(mode) === -1) continue;
        const cost = costOf(mode);
        if (cost >= least) continue;
        least = cost;
        cheapest = mode;
      }
      needed += least;
      for (let x = offset[cheapest]; x < offset[cheapest + 1]; x++) load[span[x]] += work[x];
    }
    const room = spans.reduce((sum, { length }, s) => sum + weight[s] * length, 0);
    if (needed > most * room) {
      most = needed / room;
      best.set(weight);
    }
    const rate = 1 / (4 + step / 4);
    const mean = needed / room;
    for (let s = 0; s < spans.length; s++) {
      const over = load[s] / spans[s].length - mean;
      weight[s] *= 1 + rate * Math.max(-0.9, Math.min(1, over));
    }
  }
  if (most < LEAST_NEED) return null;
  weight.set(best);
  const room = makeWhole(weight, spans);
  const cost = Float64Array.from({ length: model.modes }, (_, mode) => costOf(mode));
  return { cost, room, operations };
}

/** Makes weights integers whose sums of products are exact; returns the room that they give. */
function makeWhole(weight: Float64Array, spans: readonly MachineSpan[]): number {
  const total = weight.reduce((a, b) => a + b, 0);
  const longest = spans.reduce((most, { length }) => Math.max(most, length), 1);
  // Twice the room bounds every sum that is compared, and more in a sum does not matter.
  const scale = Math.min(SCALE, 2 ** 50 / (longest * spans.length));
  for (let s = 0; s < weight.length; s++) weight[s] = Math.round((weight[s] / total) * scale);
  return spans.reduce((sum, { length }, s) => sum + weight[s] * length, 0);
}
