import { checkInt32, checkTimes, refuseUnless } from './instance-checks.js';
import {
  type Modes,
  type Precedence,
  type Resources,
  SETUP_PHASE,
  type Setups,
  type ShopParts,
  type Transport,
} from './shop-parts.js';

/** The size of an instance, for the checks of its parts. */
interface ShopSize {
  readonly machines: number;
  readonly operations: number;
  readonly jobOffset: Int32Array;
}

/** The parts of a specification of an instance, and what they refer to. */
interface PartsSpec extends Partial<ShopParts> {
  readonly machines: number;
  readonly jobOffset: Int32Array;
  readonly machine: Int32Array;
  readonly duration: Int32Array;
}

/**
 * Checks modes, setups, transport, precedence and resources.
 *
 * @returns a bound on the time that they add to one operation after the other: longer modes, setups, transport, lags
 */
export function checkShopParts(spec: PartsSpec): number {
  const { machines, jobOffset, machine, duration } = spec;
  const size = { machines, jobOffset, operations: machine.length };
  let added = 0;
  if (spec.modes) added += checkModes(spec.modes, size, machine, duration);
  if (spec.setups) added += checkSetups(spec.setups, size) * size.operations;
  if (spec.transport) added += checkTransport(spec.transport, size) * size.operations;
  if (spec.precedence) added += checkPrecedence(spec.precedence, size);
  if (spec.resources) {
    const modes = spec.modes?.machine.length ?? size.operations;
    added += checkResources(spec.resources, modes);
  }
  return added;
}

/** Returns the time by which the longest modes exceed the chosen ones. */
function checkModes(
  { offset, machine, duration, chosen }: Modes,
  { machines, operations }: ShopSize,
  chosenMachine: Int32Array,
  chosenDuration: Int32Array,
): number {
  checkOffsets(offset, operations, machine.length, 'modes');
  checkRange(machine, machine.length, machines, 'the machine of a mode');
  checkLength(chosen, operations, 'modes chosen');
  checkTimes(
    checkLength(duration, machine.length, 'modes duration'),
    machine.length,
    'duration of a mode',
    0,
  );
  let added = 0;
  for (let op = 0; op < operations; op++) {
    const [first, stop] = [offset[op], offset[op + 1]];
    if (first === stop) refuseUnless(false, `operation ${op} has no mode`, 'give one or more');
    const mode = chosen[op];
    if (!(first <= mode && mode < stop)) {
      const hint = `give a mode from ${first} to ${stop - 1}`;
      refuseUnless(false, `mode ${mode} is not one of operation ${op}`, hint, mode);
    }
    if (machine[mode] !== chosenMachine[op] || duration[mode] !== chosenDuration[op]) {
      const hint = 'change modes with assignModes';
      refuseUnless(false, `operation ${op} differs from its chosen mode ${mode}`, hint);
    }
    let longest = 0;
    for (let one = first; one < stop; one++) longest = Math.max(longest, duration[one]);
    added += longest - duration[mode];
  }
  return added;
}

/** Returns the longest setup. */
function checkSetups(setups: Setups, { machines, operations }: ShopSize): number {
  const { families, family, matrixOf, time, first, anticipatory } = setups;
  refuseUnless(
    Number.isInteger(families) && families >= 1,
    `the number of families is ${families}`,
    'give a whole number of at least 1',
    families,
  );
  checkRange(family, operations, families, 'the family of an operation');
  checkNamesOf('family', 'families', setups.names ?? null, families);
  checkLength(matrixOf, machines, 'matrixOf');
  const matrices = first.length / families;
  refuseUnless(
    Number.isInteger(matrices) && time.length === matrices * families * families,
    'the arrays of the setup times do not fit each other',
    'give F × F times and F first times for each matrix of F families',
  );
  for (const matrix of matrixOf) {
    if (matrix < -1 || matrix >= matrices) {
      refuseUnless(false, `there is no matrix ${matrix}`, `use −1 to ${matrices - 1}`, matrix);
    }
  }
  checkFlags(anticipatory, machines, 'anticipatory');
  const longest = checkTimes(time, time.length, 'setup time', 0);
  return Math.max(longest, checkTimes(first, first.length, 'first setup time', 0));
}

/** Returns the longest transport. */
function checkTransport({ time }: Transport, { machines }: ShopSize): number {
  return checkTimes(time, machines * machines, 'transport time', 0);
}

/** Returns the sum of all least lags. */
function checkPrecedence(
  { offset, pred, minLag, maxLag }: Precedence,
  { operations, jobOffset }: ShopSize,
): number {
  checkOffsets(offset, operations, pred.length, 'precedence');
  checkInt32(pred, 'pred');
  checkTimes(checkLength(minLag, pred.length, 'minLag'), pred.length, 'least lag', 0);
  checkTimes(checkLength(maxLag, pred.length, 'maxLag'), pred.length, 'greatest lag', -1);
  let job = 0;
  let added = 0;
  for (let op = 0; op < operations; op++) {
    while (op >= jobOffset[job + 1]) job++;
    const known = new Set<number>();
    for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
      const before = pred[edge];
      if (!(jobOffset[job] <= before && before < op)) {
        const hint = 'give an earlier operation of the same job';
        refuseUnless(false, `operation ${before} is no predecessor of ${op}`, hint, before);
      }
      if (known.has(before)) {
        refuseUnless(false, `operation ${op} has the predecessor ${before} twice`, 'give it once');
      }
      known.add(before);
      if (maxLag[edge] >= 0 && maxLag[edge] < minLag[edge]) {
        const problem = `the greatest lag ${maxLag[edge]} before operation ${op} is below the least`;
        refuseUnless(false, problem, `give ${minLag[edge]} or more`, maxLag[edge]);
      }
      added += minLag[edge];
    }
  }
  return added;
}

/** Returns the end of the last time with another capacity. */
function checkResources(resources: Resources, modes: number): number {
  const { count, capacity, names, calendar } = resources;
  const { needOffset, needResource, needAmount, needPhase } = resources;
  refuseUnless(
    Number.isInteger(count) && count >= 1,
    `the number of resources is ${count}`,
    'give a whole number of at least 1, or no resources',
    count,
  );
  checkTimes(checkLength(capacity, count, 'capacity'), count, 'capacity', 0);
  checkNamesOf('resource', 'resources', names, count);
  checkOffsets(needOffset, modes, needResource.length, 'needs');
  checkRange(needResource, needResource.length, count, 'the resource of a need');
  checkTimes(
    checkLength(needAmount, needResource.length, 'needAmount'),
    needResource.length,
    'needed amount',
    1,
  );
  checkFlags(needPhase, needResource.length, 'needPhase');
  checkNeeds(resources, modes);
  return calendar === null ? 0 : checkCapacities(calendar, count);
}

/** Checks names of families or resources: one for each, distinct and not empty. */
function checkNamesOf(
  one: string,
  many: string,
  names: readonly string[] | null,
  count: number,
): void {
  if (names === null) return;
  refuseUnless(
    names.length === count,
    `there are ${names.length} names for ${count} ${many}`,
    'give one for each',
  );
  const empty = names.findIndex(
    (name) => typeof name !== 'string' || name.trim() !== name || !name,
  );
  refuseUnless(empty < 0, `the ${one} ${empty} has no proper name`, 'give each a name');
  const known = new Set<string>();
  const twin = names.find((name) => known.size === known.add(name).size);
  refuseUnless(twin === undefined, `two ${many} are called "${twin}"`, 'use distinct names', twin);
}

function checkNeeds(resources: Resources, modes: number): void {
  const { capacity, needOffset, needResource, needAmount, needPhase } = resources;
  for (let mode = 0; mode < modes; mode++) {
    const known = new Set<number>();
    for (let need = needOffset[mode]; need < needOffset[mode + 1]; need++) {
      const resource = needResource[need];
      const key = 2 * resource + (needPhase[need] === SETUP_PHASE ? 1 : 0);
      if (known.has(key)) {
        refuseUnless(false, `mode ${mode} needs resource ${resource} twice`, 'add the amounts up');
      }
      known.add(key);
      if (needAmount[need] > capacity[resource]) {
        const problem = `mode ${mode} needs ${needAmount[need]} of resource ${resource}`;
        const hint = `give ${capacity[resource]} or less, its capacity`;
        refuseUnless(false, problem, hint, needAmount[need]);
      }
    }
  }
}

function checkCapacities(
  { offset, from, to, amount }: NonNullable<Resources['calendar']>,
  count: number,
): number {
  checkOffsets(offset, count, from.length, 'resource calendar');
  checkLength(from, from.length, 'from');
  checkLength(to, from.length, 'to');
  checkTimes(checkLength(amount, from.length, 'amount'), from.length, 'capacity', 0);
  let last = 0;
  for (let resource = 0; resource < count; resource++) {
    let previous = 0;
    for (let i = offset[resource]; i < offset[resource + 1]; i++) {
      if (from[i] < previous || to[i] <= from[i]) {
        const problem = `the time [${from[i]}, ${to[i]}) of resource ${resource} is empty, negative or not in order`;
        refuseUnless(false, problem, 'sort the times of a resource; they must not overlap');
      }
      previous = to[i];
    }
    last = Math.max(last, previous);
  }
  return last;
}

function checkLength(numbers: Int32Array, length: number, what: string): Int32Array {
  checkInt32(numbers, what);
  refuseUnless(
    numbers.length === length,
    `${what} has ${numbers.length} entries`,
    `give ${length}`,
  );
  return numbers;
}

function checkFlags(flags: unknown, length: number, what: string): void {
  const isRight =
    flags instanceof Uint8Array && flags.length === length && flags.every((flag) => flag <= 1);
  refuseUnless(isRight, `${what} is wrong`, `give a Uint8Array of ${length} entries, 0 or 1`);
}

function checkRange(numbers: Int32Array, length: number, count: number, what: string): void {
  checkLength(numbers, length, what);
  for (const number of numbers) {
    if (number < 0 || number >= count) {
      refuseUnless(false, `${what} is ${number}`, `use 0 to ${count - 1}`, number);
    }
  }
}

/** Checks offsets of `count` groups of `length` entries. */
function checkOffsets(offset: Int32Array, count: number, length: number, what: string): void {
  checkLength(offset, count + 1, `offset of ${what}`);
  refuseUnless(
    offset[0] === 0 && offset[count] === length,
    `the offset of ${what} does not fit`,
    `let it run from 0 to ${length}`,
  );
  for (let i = 0; i < count; i++) {
    if (offset[i] > offset[i + 1]) {
      refuseUnless(false, `the offset of ${what} decreases at ${i}`, 'list them in order');
    }
  }
}
