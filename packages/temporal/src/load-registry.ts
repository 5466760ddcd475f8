import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Registry } from '@alas-jssp/workflow';
import { InputError } from 'alas-jssp';

const EXPORT = 'export { handlers, compensators, validators, … } of a registry';

/** The package for drafts: it is loaded only for the folder of one. */
const BLUEPRINT: string = '@alas-jssp/blueprint';

interface BlueprintExports {
  openDraftFolder(directory: string): Promise<{ readonly registry: Registry }>;
}

/**
 * The handlers that a module exports, or those of the draft in a folder; none without a path.
 *
 * @throws InputError `bad_module`, `missing_package`, and those of drafts
 */
export async function loadRegistry(path: string | undefined): Promise<Registry> {
  if (path === undefined) return { handlers: {} };
  if (existsSync(join(path, 'draft.json'))) return loadDraft(path);
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

/** The handlers of a draft. Its tools stay open until the worker ends. */
async function loadDraft(folder: string): Promise<Registry> {
  let blueprint: BlueprintExports;
  try {
    blueprint = (await import(BLUEPRINT)) as BlueprintExports;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${BLUEPRINT}'`)) throw error;
    const problem = `the folder of a draft needs ${BLUEPRINT}, which is not installed`;
    throw new InputError('missing_package', problem, `npm install ${BLUEPRINT}`, { file: folder });
  }
  return (await blueprint.openDraftFolder(folder)).registry;
}
