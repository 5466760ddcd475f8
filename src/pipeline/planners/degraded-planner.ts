import { InputError } from '@alas-jssp/core/errors';
import { createRandom, type Random } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { endOfWork } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { asPlan, asSchedule, operationAt, type Plan, type PlanEntry } from '../../jssp/plan.js';
import type { Planner } from '../../jssp/planner.js';
import { DEFAULT_PLANNER } from '../../jssp/planner.js';
import { findMode, modeDuration, modeMachine, modesOf } from '../../jssp/shop-parts.js';
import { createHeuristicPlanner } from '../../search/planners.js';

/**
 * A planner that corrupts a share of the operations of a heuristic's plan, to measure the value of validation and
 * repair without a model. Equal seeds give equal faults.
 *
 * @param source the share, 0 to 1, and after a colon the heuristic, such as `0.1:insertion`
 * @throws InputError `bad_rate` if it does not begin with a share, `unknown_planner` if the rest is not a heuristic,
 *   and errors of {@link createHeuristicPlanner}
 */
export function createDegradedPlanner(source: string): Planner {
  const colon = source.indexOf(':');
  const rate = parseRate(colon < 0 ? source : source.slice(0, colon));
  const spec = colon < 0 ? DEFAULT_PLANNER : source.slice(colon + 1);
  const planner = createHeuristicPlanner(spec);
  if (planner === undefined) {
    throw new InputError(
      'unknown_planner',
      `there is no heuristic '${spec}' whose plans could be degraded`,
      'name one of alas-jssp list planners, such as insertion',
      {},
      spec,
    );
  }
  const ending = planner.name === DEFAULT_PLANNER ? '' : `:${planner.name}`;
  return {
    name: `degraded:${rate}${ending}`,
    async plan(instance, context) {
      const candidate = await planner.plan(instance, context);
      const plan = asPlan(candidate);
      const { instance: assigned } = asSchedule(instance, candidate);
      const random = createRandom(deriveSeed(context.seed, 'degraded'));
      return degradePlan(assigned, plan, rate, random).plan;
    },
  };
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (text.trim() !== '' && rate >= 0 && rate <= 1) return rate;
  throw new InputError(
    'bad_rate',
    `'${text}' is no share of the operations`,
    'use a number from 0 to 1, such as degraded:0.1',
    {},
    text,
  );
}

/** Faults of an operation in a degraded plan; `docs/reference/planners.md` explains each. */
export const FAULT_CLASSES = [
  'missing',
  'wrong_duration',
  'wrong_machine',
  'precedence',
  'double_booking',
  'shifted_start',
  'duplicate',
  'unknown_id',
  'truncation',
  'unmatched_duration',
  'other_machine',
] as const;

/** One of {@link FAULT_CLASSES}. */
export type FaultClass = (typeof FAULT_CLASSES)[number];

/** A corrupted plan. */
export interface DegradedPlan {
  readonly plan: Plan;
  /** The fault of each operation that has one, by its number. */
  readonly faults: ReadonlyMap<number, FaultClass>;
}

/** The effect of one fault on one entry: the entries that replace it, and those repeated at the end. */
interface Faulty {
  readonly here: readonly PlanEntry[];
  readonly again?: readonly PlanEntry[];
}

/** A start moves by at most this share of the makespan. */
const LARGEST_SHIFT = 0.1;

/**
 * Corrupts a plan: a share of its operations has one fault each, all classes being equally likely. The plan keeps its
 * claimed makespan.
 *
 * @param instance with the modes of the plan
 * @param plan one entry for each operation, in order
 * @param rate share of the operations that have a fault, 0 to 1; rounded to whole operations, at least one unless it is
 *   0
 */
export function degradePlan(
  instance: Instance,
  plan: Plan,
  rate: number,
  random: Random,
): DegradedPlan {
  const faults = drawFaults(instance, rate, random);
  const again: PlanEntry[] = [];
  const entries = plan.entries.flatMap((entry, op) => {
    const fault = faults.get(op);
    if (fault === undefined) return [entry];
    const faulty = makers[fault]({ instance, plan, random, entry, op });
    again.push(...(faulty.again ?? []));
    return faulty.here;
  });
  return { plan: { ...plan, entries: [...entries, ...again] }, faults };
}

/** Draws the fault of each operation. Truncation takes the last ones, as in an answer that is cut off. */
function drawFaults(
  instance: Instance,
  rate: number,
  random: Random,
): ReadonlyMap<number, FaultClass> {
  const { operations } = instance;
  const count = rate === 0 ? 0 : Math.max(1, Math.round(rate * operations));
  const classes = FAULT_CLASSES.filter((name) => isPossible(instance, name));
  const drawn = Array.from({ length: count }, () => classes[random.integer(0, classes.length - 1)]);
  const cut = operations - drawn.filter((name) => name === 'truncation').length;
  const faults = new Map<number, FaultClass>();
  for (let op = cut; op < operations; op++) faults.set(op, 'truncation');
  const places = random.shuffle(Array.from({ length: cut }, (_, op) => op));
  const others = drawn.filter((name) => name !== 'truncation');
  others.forEach((name, index) => void faults.set(places[index], name));
  return faults;
}

/** Whether a shop has room for a class of faults. */
function isPossible({ machines, modes }: Instance, name: FaultClass): boolean {
  if (name === 'wrong_machine') return machines > 1;
  return modes !== null || (name !== 'other_machine' && name !== 'unmatched_duration');
}

/** The inputs of a fault. */
interface Place {
  readonly instance: Instance;
  readonly plan: Plan;
  readonly random: Random;
  readonly entry: PlanEntry;
  readonly op: number;
}

const makers: Readonly<Record<FaultClass, (place: Place) => Faulty>> = {
  missing: () => ({ here: [] }),
  truncation: () => ({ here: [] }),
  wrong_duration: ({ entry, random }) => {
    const duration = entry.end - entry.start;
    const other = otherThan(duration, random.integer(0, 2 * duration + 1));
    return { here: [{ ...entry, end: entry.start + other }] };
  },
  wrong_machine: ({ instance, entry, op, random }) => {
    const { machines } = instance;
    const step = random.integer(1, machines - 1);
    const machine = (entry.machine + step) % machines;
    const unable = Array.from({ length: machines }, (_, i) => (machine + i) % machines).find(
      (one) => findMode(instance, op, one) < 0,
    );
    // If every machine can do the operation, it is only one whose times the claim does not have.
    return { here: [onMachine(entry, unable ?? machine)] };
  },
  // Another machine that can do the operation, as if it took as long there.
  unmatched_duration: ({ instance, entry, op, random }) => {
    const mode = otherMode(instance, op, entry, random);
    if (mode < 0) return moved(entry, entry.start + 1);
    return { here: [onMachine(entry, modeMachine(instance, mode))] };
  },
  // The same with its true duration there: the machine may be busy, and its setups are other ones.
  other_machine: ({ instance, entry, op, random }) => {
    const mode = otherMode(instance, op, entry, random);
    if (mode < 0) return moved(entry, entry.start + 1);
    const machine = modeMachine(instance, mode);
    const work = modeDuration(instance, mode);
    const end = endOfWork(instance.calendar, machine, work, entry.start);
    return { here: [{ ...onMachine(entry, machine), end }] };
  },
  precedence: ({ instance, plan, entry, op }) => {
    const neighbour = entry.step > 0 ? op - 1 : op + 1;
    const isAlone = operationAt(instance, entry.job, entry.step + neighbour - op) < 0;
    return isAlone ? moved(entry, entry.end) : moved(entry, plan.entries[neighbour].start);
  },
  double_booking: ({ instance, plan, entry, op, random }) => {
    const { machineOffset, machineOperations } = instance;
    const [first, next] = [machineOffset[entry.machine], machineOffset[entry.machine + 1]];
    if (next - first < 2) return moved(entry, entry.start + 1);
    const slot = random.integer(first, next - 2);
    const other = machineOperations[slot] < op ? slot : slot + 1;
    return moved(entry, plan.entries[machineOperations[other]].start);
  },
  shifted_start: ({ plan, entry, random }) => {
    const most = Math.max(1, Math.round(LARGEST_SHIFT * (plan.makespan ?? 0)));
    const shift = random.integer(1, most) * (random.next() < 0.5 ? -1 : 1);
    const start = Math.max(0, entry.start + shift);
    return moved(entry, start === entry.start ? entry.start - shift : start);
  },
  duplicate: ({ entry, random }) => {
    const later = random.integer(1, 1 + entry.end - entry.start);
    return { here: [entry], again: moved(entry, entry.start + later).here };
  },
  unknown_id: ({ instance, entry, random }) => {
    const beyond = random.integer(0, 9);
    const unknown = [
      { ...entry, job: instance.jobs + beyond },
      { ...entry, step: instance.operations + beyond },
      { ...entry, machine: instance.machines + beyond },
    ];
    return { here: [unknown[random.integer(0, unknown.length - 1)]] };
  },
};

/** The entry on another machine; a mode that it named is not one of that machine. */
function onMachine({ mode: _, ...entry }: PlanEntry, machine: number): PlanEntry {
  return { ...entry, machine };
}

/** A random mode of an operation on another machine than the claimed one; −1 if there is none. */
function otherMode(instance: Instance, op: number, { machine }: PlanEntry, random: Random): number {
  const [first, stop] = modesOf(instance, op);
  const others = Array.from({ length: stop - first }, (_, i) => first + i).filter(
    (mode) => modeMachine(instance, mode) !== machine,
  );
  return others.length === 0 ? -1 : others[random.integer(0, others.length - 1)];
}

/** The entry at another time, with the same duration. */
function moved(entry: PlanEntry, start: number): Faulty {
  return { here: [{ ...entry, start, end: start + entry.end - entry.start }] };
}

function otherThan(value: number, drawn: number): number {
  return drawn === value ? value + 1 : drawn;
}
