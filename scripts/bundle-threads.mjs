// Bundles of what threads and long-lived commands load: a thread that reads 560 modules takes four times as long to
// start.
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicences } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Modules of the core that stay where they are: the errors that all packages throw, and those that look for files. */
const CORE = /^packages\/core\/dist\/(errors|temporal|package-version)\.js$/;
const SHARED = ['errors', 'temporal', 'package-version'].map((name) => `@alas-jssp/core/${name}`);
const shared = {
  name: 'modules that stay where they are',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ resolveDir, path }) => {
      const [, core] = CORE.exec(relative(root, join(resolveDir, path))) ?? [];
      return core === undefined ? null : { path: `@alas-jssp/core/${core}`, external: true };
    }),
};

/**
 * Bundles built files into a few.
 *
 * @param folder of the bundles, below the root
 * @param entries built files by the names of their bundles
 * @param external further modules that stay where they are
 */
export async function bundleThreads({ folder, entries, external = [] }) {
  const out = join(root, folder);
  rmSync(out, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([name, file]) => ({ in: file, out: name })),
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    metafile: true,
    // libsql looks for a file of its own.
    external: ['libsql', '#*', ...SHARED, ...external],
    plugins: [shared],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });

  // The packages in there are under licenses that want to be shipped with them.
  writeFileSync(join(out, 'licenses.txt'), bundledLicences(metafile));
}
