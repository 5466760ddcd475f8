// Puts all that a worker thread, or the service, loads into a few files: a thread that reads 560 modules takes four
// times as long to start. What planners of the user's import is the package itself; both throw the same errors, so
// these stay where they are, as does what commands share with the command line.
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licensesOf } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/thread');

/** Modules of the core that stay where they are: the errors that all packages throw, and those that look for files. */
const CORE = /^packages\/core\/dist\/(errors|temporal|package-version)\.js$/;
const EXTERNAL = ['errors', 'temporal', 'package-version'].map((name) => `@alas-jssp/core/${name}`);
const shared = {
  name: 'modules of the package',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ resolveDir, path }) => {
      const file = relative(root, join(resolveDir, path));
      const [, core] = CORE.exec(file) ?? [];
      if (core !== undefined) return { path: `@alas-jssp/core/${core}`, external: true };
      if (!file.startsWith('dist/cli/common/')) return null;
      return { path: `../${relative('dist', file)}`, external: true };
    }),
};

rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    { in: 'dist/harness/worker/worker.js', out: 'worker' },
    { in: 'dist/service/compute/thread.js', out: 'compute' },
    { in: 'dist/service/shops/shop-thread.js', out: 'shops' },
    { in: 'dist/cli/service/serve-command.js', out: 'serve' },
  ],
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  keepNames: true,
  metafile: true,
  // These look for files of their own, or are compared with those of the command line.
  external: ['libsql', 'piscina', 'commander', '#*', ...EXTERNAL],
  plugins: [shared],
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
});

// Entries of the thread pools, which require their module before they import it. Node 20 ends the process if a thread
// ends while it requires an ES module ("IsGraphAsync must be used on an instantiated module"): these import it.
for (const [module, names] of [
  ['worker', ['performTask', 'probePlanner']],
  ['compute', ['performWork']],
]) {
  const exports = names.map(
    (name) => `exports.${name} = loaded.then((module) => module.${name});\n`,
  );
  writeFileSync(
    join(folder, `${module}.cjs`),
    `const loaded = import('./${module}.js');\n${exports.join('')}`,
  );
}

// The packages in there are under licenses that want to be shipped with them.
writeFileSync(join(folder, 'licenses.txt'), licensesOf(metafile));

writeFileSync(join(root, 'dist/cli/service/serve.js'), "export * from '../../thread/serve.js';\n");
