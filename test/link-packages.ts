import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Makes the packages of this project importable from a directory, as if they were installed there. */
export function linkPackages(directory: string): void {
  const modules = join(directory, 'node_modules');
  mkdirSync(modules, { recursive: true });
  symlinkSync(root, join(modules, 'alas-jssp'), 'junction');
  for (const name of ['@alas-jssp', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
}
