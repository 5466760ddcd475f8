import { InputError } from '@alas-jssp/core/errors';
import { assignModes, type Instance, isFree } from '../../jssp/instance.js';
import { operationAt } from '../../jssp/plan.js';
import { findMode } from '../../jssp/shop-parts.js';
import { wordsOf } from '../../jssp/words.js';

/** A manually proposed start of an operation; job and step from 0. */
export interface WishedStart {
  readonly job: number;
  readonly step: number;
  readonly start: number;
  /** The machine that shall do it; default: the one it has. */
  readonly machine?: number | undefined;
}

/** The operation of a proposed start. @throws InputError `bad_start` */
export function requireWished(instance: Instance, { job, step }: WishedStart): number {
  const op = operationAt(instance, job, step);
  if (op >= 0) return op;
  const problem = `there is no step ${step} of a job ${job}`;
  throw new InputError('bad_start', problem, 'count both from 0');
}

/**
 * The instance in which operations have the proposed machines; the instance itself if none changes.
 *
 * @throws InputError `bad_start`, `bad_machine` for a machine that cannot do the operation, or if it has started
 */
export function withWishedMachines(
  instance: Instance,
  wishes: readonly Omit<WishedStart, 'start'>[],
): Instance {
  const chosen = instance.modes?.chosen.slice();
  let isChanged = false;
  for (const wish of wishes) {
    const op = requireWished(instance, { ...wish, start: 0 });
    const { machine } = wish;
    if (machine === undefined || machine === instance.machine[op]) continue;
    const mode = findMode(instance, op, machine);
    const words = wordsOf(instance);
    if (mode < 0 || chosen === undefined) {
      const problem = `${words.machine(machine)} cannot do ${words.operation(op)}`;
      throw new InputError('bad_machine', problem, machinesHint(instance, op), {}, machine);
    }
    if (!isFree(instance, op)) {
      const problem = `${words.operation(op)} has started on ${words.machine(instance.machine[op])}`;
      throw new InputError('bad_machine', problem, 'move one that has not started', {}, machine);
    }
    chosen[op] = mode;
    isChanged = true;
  }
  return isChanged && chosen !== undefined ? assignModes(instance, chosen) : instance;
}

function machinesHint(instance: Instance, op: number): string {
  const { modes } = instance;
  if (modes === null) return 'leave the machine out';
  const machines = modes.machine.subarray(modes.offset[op], modes.offset[op + 1]);
  const words = wordsOf(instance);
  return `use ${[...new Set(machines)].map((machine) => words.machine(machine)).join(' or ')}`;
}
