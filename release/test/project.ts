import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inject } from 'vitest';
import { strangersEnvironment } from './install.js';

/** The environment of a command in the project: its `node` is the runtime under test. */
export function projectEnvironment(
  runtime = inject('runtime'),
): Record<string, string | undefined> {
  const env = strangersEnvironment();
  return { ...env, NO_COLOR: '1', PATH: [runtime, env.PATH].join(delimiter) };
}

/** What a command left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a line of a document in a shell. A foreign runtime runs the commands of the project, but not npx itself.
 *
 * @param runtime a folder whose `node` runs them
 */
export function shell(line: string, cwd: string, runtime = inject('runtime')): Ended {
  const isForeign = inject('isForeign') || runtime !== inject('runtime');
  const command = isForeign
    ? line.replaceAll(/\bnpx (?=alas-)/g, `${join(inject('project'), 'node_modules/.bin')}/`)
    : line;
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    shell: true,
    encoding: 'utf8',
    env: projectEnvironment(runtime),
  });
  return { code: status, stdout, stderr };
}

/** A folder of its own in the project, from which everything that is installed can be imported. */
export const workFolder = (): string => mkdtempSync(join(inject('project'), 'work-'));

/** Runs a program as a module of the project. */
export function runProgram(
  code: string,
  cwd = workFolder(),
  name = 'main.mjs',
  runtime = inject('runtime'),
): Ended {
  writeFileSync(join(cwd, name), code);
  return shell(`node ${name}`, cwd, runtime);
}
