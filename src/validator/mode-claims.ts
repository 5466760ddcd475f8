import type { Instance } from '../jssp/instance.js';
import type { PlanEntry } from '../jssp/plan.js';
import { findMode, modeMachine, modesOf } from '../jssp/shop-parts.js';
import { describeOperation, wordsOf } from '../jssp/words.js';
import type { ViolationTally } from './tally.js';
import { operationScope } from './violation.js';

/** Checks the mode that an entry names, if it names one: it must exist, and be on the machine of the entry. */
export function checkEntryMode(
  instance: Instance,
  op: number,
  { mode, machine: claimed }: PlanEntry,
  entry: number,
  tally: ViolationTally,
): void {
  if (mode === undefined) return;
  const [first, stop] = modesOf(instance, op);
  const count = stop - first;
  if (!Number.isInteger(mode) || mode < 0 || mode >= count) {
    tally.add('unknown_mode', () => ({
      message: `${describeOperation(instance, op)} is planned in mode ${mode + 1}, but it has ${count === 1 ? 'one mode' : `the modes 1 to ${count}`}`,
      scope: operationScope(instance, op),
      entry,
      value: mode,
      modes: count,
    }));
    return;
  }
  const expected = modeMachine(instance, first + mode);
  // A machine that cannot do the operation at all is reported without its mode.
  if (expected === claimed || findMode(instance, op, claimed) < 0) return;
  const { machine } = wordsOf(instance);
  tally.add('wrong_machine', () => ({
    message: `${describeOperation(instance, op)} is put on ${machine(claimed)} in mode ${mode + 1}, which is on ${machine(expected)}`,
    scope: operationScope(instance, op),
    claimed,
    expected,
  }));
}

/**
 * Reports a claimed machine that cannot do an operation.
 *
 * @param entry −1 in a schedule
 */
export function reportMachine(
  instance: Instance,
  op: number,
  claimed: number,
  entry: number,
  tally: ViolationTally,
): void {
  if (!Number.isInteger(claimed) || claimed < 0 || claimed >= instance.machines) {
    tally.add('unknown_machine', () => ({
      message: `${describeOperation(instance, op)} is put on machine ${claimed}, but the machines are 0 to ${instance.machines - 1}`,
      scope: operationScope(instance, op),
      entry,
      value: claimed,
    }));
    return;
  }
  tally.add('wrong_machine', () => {
    const { machine, sentences } = wordsOf(instance);
    const possible = possibleMachines(instance, op);
    const names = possible.map(machine);
    const needs =
      possible.length === 1
        ? `needs ${names[0]}`
        : `can only be done on ${sentences.names.oneOf(names)}`;
    return {
      message: `${describeOperation(instance, op)} is put on ${machine(claimed)}, but ${needs}`,
      scope: operationScope(instance, op),
      claimed,
      expected: instance.machine[op],
      ...(possible.length > 1 && { possible }),
    };
  });
}

/** The machines that can do an operation, each once, in the order of its modes. */
function possibleMachines(instance: Instance, op: number): number[] {
  const [first, stop] = modesOf(instance, op);
  const machines = new Set<number>();
  for (let mode = first; mode < stop; mode++) machines.add(modeMachine(instance, mode));
  return [...machines];
}

/**
 * The mode in which a schedule that was made for another form of the instance does an operation: the chosen one if it
 * is on the same machine here, otherwise one with the same machine and, if possible, duration; −1 if there is none.
 */
export function modeOfSchedule(instance: Instance, planned: Instance, op: number): number {
  const [first, stop] = modesOf(instance, op);
  const machine = planned.machine?.[op];
  const chosen = planned.modes?.chosen[op] ?? -1;
  const isSame =
    planned.modes?.offset[op] === first &&
    chosen >= first &&
    chosen < stop &&
    modeMachine(instance, chosen) === machine;
  return isSame ? chosen : findMode(instance, op, machine, planned.duration?.[op]);
}
