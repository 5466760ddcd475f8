// Puts all that a worker thread loads into a few files: a thread that reads 560 modules takes four times as
// long to start. What planners of the user's import is the package itself; both throw the same errors, so
// these stay where they are.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licensesOf } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/thread');

const errors = {
  name: 'errors of the package',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/errors\.js$/ }, ({ resolveDir, path }) =>
      join(resolveDir, path) === join(root, 'dist/core/errors.js')
        ? { path: '../core/errors.js', external: true }
        : null,
    ),
};

rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    { in: 'dist/harness/worker/worker.js', out: 'worker' },
    { in: 'dist/service/compute/thread.js', out: 'compute' },
    { in: 'dist/service/shops/shop-thread.js', out: 'shops' },
  ],
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  keepNames: true,
  metafile: true,
  external: ['libsql', '#*'],
  plugins: [errors],
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
});

// The packages in there are under licenses that want to be shipped with them.
writeFileSync(join(folder, 'licenses.txt'), licensesOf(metafile));
