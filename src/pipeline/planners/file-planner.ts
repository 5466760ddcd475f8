import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parsePlan } from '../../jssp/formats/read-plan.js';
import { isSameInstanceName } from '../../jssp/names.js';
import type { Planner } from '../../jssp/planner.js';

const INSTANCE = '{instance}';

/** Reads a whole file; throws InputError on failure. */
export type ReadFile = (path: string) => Uint8Array;

/**
 * A planner that reads finished plans from files, such as answers of a language model.
 *
 * @param pattern path of the files, in which `{instance}` stands for the name of the instance; without it, one file
 *   serves every instance
 * @param read reads files, for example remote ones. Default: from the file system
 * @throws InputError `bad_pattern` if the pattern has other placeholders, `no_file` if its file or directory does not
 *   exist; `plan` rejects with `other_instance` if a file states another instance, and with errors of reading the file
 */
export function createFilePlanner(pattern: string, read?: ReadFile): Planner {
  checkPattern(pattern, read === undefined);
  return {
    name: `file:${pattern}`,
    async plan(target) {
      const { name } = target;
      const path = planPath(pattern, name);
      const { plan, instance } = parsePlan((read ?? readBytes)(path), path, target);
      if (instance !== undefined && !isSameInstanceName(instance, name)) {
        throw new InputError(
          'other_instance',
          `this is a plan for ${instance}, not for ${name}`,
          `name the files after their instances and use ${INSTANCE} in the pattern`,
          { file: path },
          instance,
        );
      }
      return plan;
    },
  };
}

/** The plan file of an instance. */
export function planPath(pattern: string, instance: string): string {
  return pattern.replaceAll(INSTANCE, instance);
}

function checkPattern(pattern: string, isHere: boolean): void {
  const placeholder = pattern.match(/\{[^}]*\}/g)?.find((found) => found !== INSTANCE);
  if (pattern === '' || placeholder !== undefined) {
    throw new InputError(
      'bad_pattern',
      placeholder === undefined ? 'file: names no file' : `there is no placeholder ${placeholder}`,
      `write file:PATTERN with ${INSTANCE} for the name of the instance`,
      {},
      pattern,
    );
  }
  const fixed = pattern.includes(INSTANCE) ? dirname(pattern) : pattern;
  if (isHere && !fixed.includes(INSTANCE) && !existsSync(fixed)) {
    throw new InputError(
      'no_file',
      'there is no such file or folder',
      `check the pattern of file:${pattern}`,
      { file: fixed },
      pattern,
    );
  }
}
