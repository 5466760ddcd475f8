import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from 'alas-jssp';
import type { Registry } from 'alas-jssp/workflow';

const EXPORT = 'export { handlers, compensators, validators, … } of a registry';

/**
 * The handlers that a module exports; none without a module.
 *
 * @throws InputError `bad_module`
 */
export async function loadRegistry(path: string | undefined): Promise<Registry> {
  if (path === undefined) return { handlers: {} };
  let exported: Partial<Registry>;
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as Partial<Registry>;
  } catch (error) {
    const problem = `the module cannot be loaded: ${(error as Error).message}`;
    throw new InputError('bad_module', problem, EXPORT, { file: path });
  }
  if (typeof exported.handlers === 'object' && exported.handlers !== null) {
    return { ...exported } as Registry;
  }
  throw new InputError('bad_module', 'the module exports no object as handlers', EXPORT, {
    file: path,
  });
}
