import { InputError } from '@alas-jssp/core/errors';
import { describeFound, formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import { labelIndex } from '../instance-names.js';
import type { Labels } from '../labels.js';
import type { TimeScale } from '../shop-clock.js';
import { MACHINE_HINT } from './instance-schema.js';

/** The machines of a document: their count, their names, and the clock of the shop. */
export interface DocumentMachines {
  readonly file: string | undefined;
  readonly scale: TimeScale | null;
  readonly count: number;
  readonly labels: Labels;
}

/** The number of a machine that a document refers to. */
export function machineAt(
  value: number | string,
  path: JsonPath,
  { count, labels, file }: DocumentMachines,
): number {
  const found = labels.findMachine(value);
  if (found?.hint !== undefined) throw noMachine(value, found.hint, path, file);
  const text = typeof value === 'string' ? labelIndex('machine', value.trim()) : value;
  const machine = found?.index ?? text;
  if (machine === undefined) throw noMachine(value, MACHINE_HINT, path, file);
  if (machine >= count) throw machineRange(machine, count, path, file);
  return machine;
}

/** Groups of machines by name. */
export type MachineGroups = ReadonlyMap<string, readonly number[]>;

/**
 * The groups of a document.
 *
 * @throws InputError `bad_instance` if a group has the name of a machine, or a machine twice
 */
export function readGroups(
  groups: Readonly<Record<string, readonly (number | string)[]>> | undefined,
  machines: DocumentMachines,
): MachineGroups {
  const read = new Map<string, readonly number[]>();
  for (const [name, members] of Object.entries(groups ?? {})) {
    const path = ['groups', name];
    const isMachine =
      isNameOfMachine(name, machines) ||
      labelIndex('machine', name) !== undefined ||
      /^\d*$/.test(name);
    if (isMachine) {
      const problem = `the group ${JSON.stringify(name)} has the name of a machine`;
      throw badShop(problem, 'give it another name', path, machines.file);
    }
    const list = members.map((member, i) => machineAt(member, [...path, i], machines));
    const twin = list.findIndex((member, i) => list.indexOf(member) !== i);
    if (twin >= 0) {
      const hint = 'name each machine once';
      throw badShop('the group has this machine twice', hint, [...path, twin], machines.file);
    }
    read.set(name.trim(), list);
  }
  return read;
}

function isNameOfMachine(name: string, { labels }: DocumentMachines): boolean {
  const found = labels.findMachine(name);
  return found !== undefined && found.hint === undefined;
}

/** The machines that a document refers to: those of a group, or one. */
export function machinesAt(
  value: number | string,
  path: JsonPath,
  machines: DocumentMachines,
  groups: MachineGroups,
): readonly number[] {
  const group = typeof value === 'string' ? groups.get(value.trim()) : undefined;
  return group ?? [machineAt(value, path, machines)];
}

/** An error about a part of a document. */
export function badShop(
  problem: string,
  hint: string,
  path: JsonPath,
  file: string | undefined,
  value?: unknown,
): InputError {
  return new InputError('bad_instance', problem, hint, { file, path: formatPath(path) }, value);
}

function noMachine(
  value: unknown,
  hint: string,
  path: JsonPath,
  file: string | undefined,
): InputError {
  return badShop(describeFound(value), hint, path, file, value);
}

function machineRange(
  machine: number,
  machines: number,
  path: JsonPath,
  file: string | undefined,
): InputError {
  return new InputError(
    'machine_range',
    `this is machine ${machine}, which is out of range`,
    `use 0 to ${machines - 1}`,
    { file, path: formatPath(path) },
    machine,
  );
}
