import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npm } from '../../scripts/npm.mjs';

/** A tarball, as packed/index.json lists it. */
export interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The project in which all tarballs are installed. */
    readonly project: string;
    readonly tarballs: readonly Tarball[];
    /** A folder whose `node` is the runtime under test. */
    readonly runtime: string;
    /** Whether that is another program than the one that runs these tests. */
    readonly isForeign: boolean;
  }
}

/**
 * Installs all tarballs into an empty project outside of the checkout, for production, with zod, which the start pages
 * need. ALAS_JSSP_RUNTIME names another program that runs what is installed, such as a newer Node or Bun.
 */
export function setup(project: TestProject): () => void {
  const packed = resolve(process.env.ALAS_JSSP_PACKED ?? 'packed');
  const tarballs: Tarball[] = JSON.parse(readFileSync(join(packed, 'index.json'), 'utf8'));
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'alas-installed-')));
  const directory = join(home, 'project');
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  const files = tarballs.map(({ file }) => join(packed, file));
  const quiet = ['--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  npm(['install', ...files, 'zod', ...quiet], { cwd: directory, env: strangersEnvironment() });

  const runtime = join(home, 'runtime');
  mkdirSync(runtime);
  const program = process.env.ALAS_JSSP_RUNTIME ?? process.execPath;
  if (process.platform !== 'win32') symlinkSync(program, join(runtime, 'node'));
  project.provide('project', directory);
  project.provide('tarballs', tarballs);
  project.provide('runtime', runtime);
  project.provide('isForeign', process.env.ALAS_JSSP_RUNTIME !== undefined);
  return () => rmSync(home, { recursive: true, force: true });
}

/** The environment without what npm and vitest put into it for this checkout. */
export function strangersEnvironment(): Record<string, string | undefined> {
  const all = Object.entries(process.env);
  return Object.fromEntries(
    all.filter(
      ([key]) => !/^(npm_(?!config_)|VITEST|NODE_OPTIONS|NODE_ENV|NODE_PATH|INIT_CWD)/.test(key),
    ),
  );
}
