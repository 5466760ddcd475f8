import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../jssp/instance.js';
import { appendJobNames, type InstanceNames, nameFault } from '../jssp/instance-names.js';
import type { Setups } from '../jssp/shop-parts.js';
import { type Arrival, type ArrivingOperation, arrivalWords } from './arriving.js';
import { knownResources } from './resource-labels.js';

/**
 * Refuses arriving operations that need machines, resources or families which the shop does not have.
 *
 * @throws InputError `unknown_machine`, `unknown_resource`, `bad_event`
 */
export function requireFitting(instance: Instance, operations: readonly ArrivingOperation[]): void {
  const { machines, setups } = instance;
  for (const operation of operations) {
    const { alternatives = [], family } = operation;
    for (const { machine, needs = [] } of [operation, ...alternatives]) {
      requireMachine(machine, machines);
      for (const { resource } of needs) requireResource(resource, instance);
    }
    const isMissing = setups !== null && setups.families > 1 && family === undefined;
    if (!isMissing && (family === undefined || family < (setups?.families ?? 0))) continue;
    throw new InputError(
      'bad_event',
      family === undefined
        ? 'an arriving operation has no setup family'
        : `an arriving operation has the setup family ${family}`,
      setups === null ? 'leave it out: the shop has no setups' : knownFamilies(setups),
      {},
      family,
    );
  }
}

/** The setup families there are, as a hint. */
function knownFamilies({ families, names }: Setups): string {
  if (names && families <= 12) return `use one of ${names.join(', ')}`;
  return `use 0 to ${families - 1}`;
}

/** @throws InputError `unknown_resource` */
export function requireResource(resource: number, instance: Pick<Instance, 'resources'>): void {
  if (resource < (instance.resources?.count ?? 0)) return;
  throw new InputError(
    'unknown_resource',
    `there is no resource ${resource}`,
    knownResources(instance),
    {},
    resource,
  );
}

/** @throws InputError `unknown_machine` */
export function requireMachine(machine: number, machines: number): void {
  if (machine < machines) return;
  throw new InputError(
    'unknown_machine',
    `there is no machine ${machine}`,
    `use 0 to ${machines - 1}`,
    {},
    machine,
  );
}

/**
 * The names of a shop and of arriving jobs, which must be unique.
 *
 * @throws InputError `bad_event`
 */
export function namesWith(instance: Instance, arrivals: readonly Arrival[]): InstanceNames | null {
  const { names, jobs } = instance;
  if (names === null || arrivals.length === 0) return names;
  const taken = new Set(names.jobs);
  for (const [i, event] of arrivals.entries()) {
    const { name } = event.job;
    if (name === undefined) continue;
    const isTaken = taken.has(name);
    const fault = isTaken
      ? { problem: 'there is a job of that name already', hint: 'give it another one' }
      : nameFault('job', name, jobs + i);
    if (fault !== undefined) {
      const problem = `${arrivalWords(event)}: ${fault.problem}`;
      const facts = isTaken ? { code: 'name_taken', name } : undefined;
      throw new InputError('bad_event', problem, fault.hint, {}, event, facts);
    }
    taken.add(name);
  }
  return appendJobNames(
    names,
    instance,
    arrivals.map(({ job }) => job),
  );
}
