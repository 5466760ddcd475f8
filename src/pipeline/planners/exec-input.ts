import { writeFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { writeFlexible } from '../../jssp/formats/flexible.js';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { writeStandard } from '../../jssp/formats/standard.js';
import type { Instance } from '../../jssp/instance.js';
import type { CommandWords } from './command-words.js';

/** The placeholders for files with the instance, each in a format of its own. */
type InstanceFile = 'instance' | 'instance.fjs' | 'instance.json';

const WRITERS: readonly (readonly [
  InstanceFile,
  ending: string,
  (instance: Instance) => string,
])[] = [
  ['instance', 'txt', (instance) => writeStandard(instance)],
  ['instance.fjs', 'fjs', writeFlexible],
  ['instance.json', 'json', writeInstanceJson],
];

/** Whether the instance goes to a file; else it goes to stdin. */
export function takesFile({ placeholders }: CommandWords): boolean {
  return WRITERS.some(([name]) => placeholders.has(name));
}

/**
 * Writes the files that a command names.
 *
 * @param path without an ending
 * @returns the paths of all files that it could name
 * @throws InputError `not_standard` or `not_flexible` if a format cannot hold the instance
 */
export function writeFiles(
  { placeholders }: CommandWords,
  instance: Instance,
  path: string,
): Record<InstanceFile, string> {
  const files = WRITERS.map(([name, ending, write]) => {
    const file = `${path}.${ending}`;
    if (placeholders.has(name)) writeFileSync(file, writeIn(instance, write));
    return [name, file] as const;
  });
  return Object.fromEntries(files) as Record<InstanceFile, string>;
}

/**
 * The instance as a program receives it on stdin.
 *
 * @throws InputError `not_standard` if the standard format cannot hold it
 */
export function instanceText(instance: Instance): string {
  return writeIn(instance, (one) => writeStandard(one));
}

/** The instance in a format; a refusal names the placeholders of the formats that can hold it. */
function writeIn(instance: Instance, write: (instance: Instance) => string): string {
  try {
    return write(instance);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const hint =
      'put {instance.json} into the command, or {instance.fjs} if operations have alternative machines and nothing else';
    throw new InputError(error.code, error.problem, hint, {}, instance.name);
  }
}
