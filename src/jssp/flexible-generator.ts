import { InputError } from '@alas-jssp/core/errors';
import { createRandom, type Random } from '@alas-jssp/core/random';
import { chooseFastest, withoutSingleModes } from './formats/mode-arrays.js';
import { badParameter, checkWholeNumber, generateRandom, type RandomSpec } from './generator.js';
import { createInstance, type Instance, MAX_TIME } from './instance.js';
import {
  type Modes,
  type Precedence,
  type Resources,
  SETUP_PHASE,
  type Setups,
  type Transport,
  WORK_PHASE,
} from './shop-parts.js';

/** The numbers that determine a random shop with alternative machines and more. */
export interface FlexibleSpec extends RandomSpec {
  /** The mean number of machines that can do an operation, 1 … m: uniform from 1 to twice that less 1; default 2. */
  flexibility?: number | undefined;
  /** The share, 0 … 1, by which the duration on another machine may differ; default 0.2. */
  variation?: number | undefined;
  /** The number of families of setups, up to 200; default 0: no setups. */
  families?: number | undefined;
  /** The longest setup; default 20. Setups satisfy the triangle inequality; within a family there are none. */
  maxSetup?: number | undefined;
  /** Whether setups may take place only after the job has arrived. */
  attendedSetups?: boolean | undefined;
  /** The longest transport between two machines; default 0: no transport. */
  maxTransport?: number | undefined;
  /** The number of operators; default 0. Half of the modes and half of the setups need one. */
  operators?: number | undefined;
  /** The share of operations, 0 … 1, with other predecessors than the operation before; default 0. */
  assembly?: number | undefined;
  /** The greatest of the least waiting times, which a third of the edges has; default 0. */
  minLag?: number | undefined;
  /** The greatest waiting time beyond the least, which a third of the edges has; 0 is no-wait; default: none. */
  maxLag?: number | undefined;
}

const MAX_FAMILIES = 200;
const MAX_SHOP_MACHINES = 5000;

/**
 * A random shop: {@link generateRandom} with alternatives, setups, transport, operators and graphs. Each part has random
 * numbers of its own, so that the same seed gives the same shop with and without it. Every shop has a feasible schedule.
 *
 * @throws InputError if a parameter is out of range or the instance would be too large
 */
export function generateFlexible(spec: FlexibleSpec): Instance {
  const filled = fillFlexibleSpec(spec);
  const { seed } = spec;
  const base = generateRandom(spec);
  const random = (part: string) => createRandom(`${seed} ${part}`);
  const modes = generateModes(base, filled, random('modes'));
  const setups = filled.families > 0 ? generateSetups(base, filled, random('setups')) : null;
  const withGraph = filled.assembly > 0 || filled.minLag > 0 || filled.maxLag !== undefined;
  return createInstance({
    ...base,
    name: spec.name ?? `flexible_${spec.jobs}x${spec.machines}_${seed}`,
    ...withoutSingleModes(modes),
    setups,
    transport:
      filled.maxTransport > 0 ? generateTransport(base, filled, random('transport')) : null,
    precedence: withGraph ? generatePrecedence(base, filled, random('graph')) : null,
    resources: filled.operators > 0 ? generateOperators(modes, filled, random('operators')) : null,
  });
}

type FilledParts = ReturnType<typeof fillFlexibleSpec>;

function fillFlexibleSpec(spec: FlexibleSpec) {
  const { machines, variation = 0.2, families = 0, maxSetup = 20, attendedSetups = false } = spec;
  const { flexibility = Math.min(2, machines), operators = 0, assembly = 0 } = spec;
  const { maxTransport = 0, minLag = 0, maxLag } = spec;
  if (!(flexibility >= 1 && flexibility <= machines)) {
    throw badParameter('flexibility', flexibility, `give a number from 1 to ${machines}`);
  }
  for (const [name, share] of Object.entries({ variation, assembly })) {
    if (!(share >= 0 && share <= 1)) throw badParameter(name, share, 'give a share from 0 to 1');
  }
  checkWholeNumber('families', families, 0, MAX_FAMILIES);
  checkWholeNumber('operators', operators, 0, MAX_TIME);
  for (const [name, time] of Object.entries({ maxSetup, maxTransport, minLag, maxLag })) {
    if (time !== undefined) checkWholeNumber(name, time, 0, MAX_TIME);
  }
  if (maxTransport > 0 && machines > MAX_SHOP_MACHINES) {
    const hint = `give at most ${MAX_SHOP_MACHINES} machines, or no transport`;
    throw new InputError('too_large', `${machines} machines`, hint, {}, machines);
  }
  return {
    flexibility,
    variation,
    families,
    maxSetup,
    attendedSetups,
    operators,
    assembly,
    maxTransport,
    minLag,
    maxLag,
  };
}

function generateModes(base: Instance, spec: FilledParts, random: Random): Modes {
  const { machines, operations, machine, duration } = base;
  const offset = new Int32Array(operations + 1);
  const list = { machine: [] as number[], duration: [] as number[] };
  for (let op = 0; op < operations; op++) {
    const wanted = Math.round(1 + random.next() * 2 * (spec.flexibility - 1));
    const chosen = new Set([machine[op]]);
    while (chosen.size < Math.min(wanted, machines)) chosen.add(random.integer(0, machines - 1));
    for (const k of chosen) {
      const factor = 1 + spec.variation * (2 * random.next() - 1);
      list.machine.push(k);
      list.duration.push(k === machine[op] ? duration[op] : varied(duration[op], factor));
    }
    offset[op + 1] = list.machine.length;
  }
  return chooseFastest({
    offset,
    machine: Int32Array.from(list.machine),
    duration: Int32Array.from(list.duration),
  });
}

/** A duration times a factor; work remains work. */
function varied(duration: number, factor: number): number {
  return duration === 0 ? 0 : Math.min(MAX_TIME, Math.max(1, Math.round(duration * factor)));
}

function generateSetups(base: Instance, spec: FilledParts, random: Random): Setups {
  const { machines, operations } = base;
  const { families, maxSetup, attendedSetups } = spec;
  const time = new Int32Array(families * families);
  for (let i = 0; i < time.length; i++) {
    const isSame = i % (families + 1) === 0;
    time[i] = isSame ? 0 : random.integer(Math.min(1, maxSetup), maxSetup);
  }
  // The shortest way between two families: a detour by a third one never takes less.
  for (let by = 0; by < families; by++) {
    for (let from = 0; from < families; from++) {
      for (let to = 0; to < families; to++) {
        const detour = time[from * families + by] + time[by * families + to];
        if (detour < time[from * families + to]) time[from * families + to] = detour;
      }
    }
  }
  return {
    families,
    family: Int32Array.from({ length: operations }, () => random.integer(0, families - 1)),
    matrixOf: new Int32Array(machines),
    time,
    first: Int32Array.from({ length: families }, () => random.integer(0, maxSetup)),
    anticipatory: new Uint8Array(machines).fill(attendedSetups ? 0 : 1),
  };
}

function generateTransport(base: Instance, spec: FilledParts, random: Random): Transport {
  const { machines } = base;
  const time = new Int32Array(machines * machines);
  for (let from = 0; from < machines; from++) {
    for (let to = from + 1; to < machines; to++) {
      time[from * machines + to] = random.integer(1, spec.maxTransport);
      time[to * machines + from] = time[from * machines + to];
    }
  }
  return { time };
}

/**
 * Graphs in which greatest waiting times form paths that nothing else enters, so that each path can be done without a
 * wait whatever precedes it.
 */
function generatePrecedence(base: Instance, spec: FilledParts, random: Random): Precedence | null {
  const { operations, jobOf, jobOffset } = base;
  const offset = new Int32Array(operations + 1);
  const edges: { before: number; min: number; max: number }[] = [];
  const bound = new Set<number>();
  let isChain = true;
  // An attended setup begins after the arrival.
  const extra = spec.attendedSetups && spec.families > 0 ? spec.maxSetup : 0;
  for (let op = 0; op < operations; op++) {
    const predecessors = predecessorsFor(op, jobOffset[jobOf[op]], spec, random);
    for (const before of predecessors) {
      const [one, other] = [random.next(), random.next()];
      const min = one < 1 / 3 ? random.integer(0, spec.minLag) : 0;
      const wait = random.integer(0, spec.maxLag ?? 0);
      const isBound =
        spec.maxLag !== undefined &&
        other < 1 / 3 &&
        predecessors.length === 1 &&
        !bound.has(before);
      if (isBound) bound.add(before);
      edges.push({ before, min, max: isBound ? min + wait + extra : -1 });
    }
    offset[op + 1] = edges.length;
    if (predecessors.length !== (op === jobOffset[jobOf[op]] ? 0 : 1)) isChain = false;
    if (predecessors.length === 1 && predecessors[0] !== op - 1) isChain = false;
  }
  if (isChain && edges.every(({ min, max }) => min === 0 && max < 0)) return null;
  return {
    offset,
    pred: Int32Array.from(edges, ({ before }) => before),
    minLag: Int32Array.from(edges, ({ min }) => min),
    maxLag: Int32Array.from(edges, ({ max }) => max),
  };
}

/** The operation before, or with the share of assembly up to two other ones of the job. */
function predecessorsFor(op: number, first: number, spec: FilledParts, random: Random): number[] {
  if (op === first) return [];
  if (random.next() >= spec.assembly) return [op - 1];
  const count = random.integer(0, 2);
  const found = new Set<number>();
  for (let i = 0; i < count; i++) found.add(random.integer(first, op - 1));
  return [...found].sort((a, b) => a - b);
}

function generateOperators(modes: Modes, spec: FilledParts, random: Random): Resources {
  const count = modes.machine.length;
  const needOffset = new Int32Array(count + 1);
  const phases: number[] = [];
  for (let mode = 0; mode < count; mode++) {
    if (random.next() < 0.5) phases.push(WORK_PHASE);
    if (random.next() < 0.5 && spec.families > 0) phases.push(SETUP_PHASE);
    needOffset[mode + 1] = phases.length;
  }
  return {
    count: 1,
    capacity: Int32Array.of(spec.operators),
    names: ['operators'],
    calendar: null,
    needOffset,
    needResource: new Int32Array(phases.length),
    needAmount: new Int32Array(phases.length).fill(1),
    needPhase: Uint8Array.from(phases),
  };
}
