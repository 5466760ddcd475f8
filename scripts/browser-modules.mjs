import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const substitutes = join(root, 'src/browser/without-node');

/** Modules that need Node, below the root, and those that take their place in a browser. */
const MODULES = {
  'packages/core/src/bytes.ts': 'bytes.ts',
  'packages/core/src/package-version.ts': 'package-version.ts',
  'packages/core/src/sha256.ts': 'sha256.ts',
  'packages/core/src/temporal.ts': 'temporal.ts',
  'src/jssp/benchmark-index.ts': 'benchmark-index.ts',
  'src/search/load-kernel.ts': 'load-kernel.ts',
  'src/search/threads/thread.ts': 'thread.ts',
};

const NODE = {
  'node:buffer': 'buffer.ts',
  'node:path': 'path.ts',
  'node:timers/promises': 'timers.ts',
};

/** The kernels of the search in Base64, by their names among the imports of the package. */
const kernels = () =>
  Object.fromEntries(
    ['kernel', 'flexible-kernel'].map((name) => [
      `#search-${name}`,
      readFileSync(join(root, `dist/search/${name}.wasm`), 'base64'),
    ]),
  );

/** A plugin of esbuild for bundles of the engine's sources that run in browsers. A module of Node that is left fails. */
export const browserModules = {
  name: 'modules for browsers',
  setup({ initialOptions, onResolve, onLoad, resolve }) {
    initialOptions.define = {
      ...initialOptions.define,
      KERNELS: JSON.stringify(kernels()),
      VERSION: JSON.stringify(version),
    };
    onResolve({ filter: /^csv-parse\/sync$/ }, ({ resolveDir, kind }) =>
      resolve('csv-parse/browser/esm/sync', { resolveDir, kind }),
    );
    onResolve({ filter: /^node:/ }, ({ path }) =>
      path in NODE ? { path: join(substitutes, NODE[path]) } : undefined,
    );
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = MODULES[relative(root, path).replaceAll('\\', '/')];
      if (file === undefined) return undefined;
      const contents = readFileSync(join(substitutes, file), 'utf8');
      return { contents, loader: 'ts', resolveDir: dirname(join(substitutes, file)) };
    });
  },
};
