import { statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorLine, InputError } from '@alas-jssp/core/errors';

/**
 * Refuses a path that is not a module before the run starts.
 *
 * @param hint the fix
 * @throws InputError `no_file` if it does not exist or is a directory
 */
export function requireModule(path: string, hint: string): void {
  const found = path === '' ? undefined : statSync(resolve(path), { throwIfNoEntry: false });
  if (found?.isFile()) return;
  const problem =
    found === undefined ? 'there is no such module' : 'this is a directory, not a module';
  throw new InputError('no_file', problem, hint, { file: path }, path);
}

/**
 * Imports a user's ES module.
 *
 * @param path relative to the working directory or absolute
 * @throws InputError `bad_module` if it cannot be loaded, with the reason
 */
export async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const file = resolve(path);
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const problem = `the module cannot be loaded: ${describe(error, file)}`;
    throw new InputError('bad_module', problem, `mend it until node ${path} runs`, { file: path });
  }
}

/** The reason why an import failed, in one line; files are named as the module sees them. */
function describe(error: unknown, file: string): string {
  const kind = error instanceof SyntaxError ? 'SyntaxError: ' : '';
  const words = errorLine(error).replace(/ imported from .*/, '');
  return kind + words.replaceAll(dirname(file) + sep, `.${sep}`);
}
