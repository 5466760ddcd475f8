// Builds the light engine from the root's compiled sources (`npm run build` there first): one bundle for each entry,
// with the small libraries they use, and the declarations that the entries reach.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicences } from '../../scripts/bundled-licences.mjs';

const ENTRIES = ['jssp', 'validator', 'disruption', 'search', 'lcrp'];
const THREADS = { island: 'search/threads/island', prover: 'search/threads/prover-thread' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const compiled = join(root, 'dist');
const code = join(here, 'dist/code');
const types = join(here, 'dist/types');

/** The index of the package: all entries, and the errors that they throw. */
const index = (errors) =>
  [
    ...ENTRIES.map((entry) => `export * from './${entry}/index.js';`),
    `export { AlasError, InputError } from '${errors}';\n`,
  ].join('\n');

rmSync(join(here, 'dist'), { recursive: true, force: true });
mkdirSync(code, { recursive: true });

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    ...ENTRIES.map((entry) => ({ in: `dist/${entry}/index.js`, out: entry })),
    ...Object.entries(THREADS).map(([out, file]) => ({ in: `dist/${file}.js`, out })),
    { in: 'index', out: 'index' },
  ],
  plugins: [
    {
      name: 'index of the package',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^index$/ }, () => ({ path: 'index', namespace: 'entry' }));
        onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
          contents: index('@alas-jssp/core/errors'),
          resolveDir: compiled,
        }));
      },
    },
  ],
  outdir: code,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  keepNames: true,
  metafile: true,
  external: ['temporal-polyfill', '#*'],
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
});
cpSync(join(compiled, 'search/kernel.wasm'), join(code, 'kernel.wasm'));
cpSync(join(compiled, 'search/flexible-kernel.wasm'), join(code, 'flexible-kernel.wasm'));
writeFileSync(join(code, 'licenses.txt'), bundledLicences(metafile));

/** Copies a declaration file and all that it imports; those of the core go into a folder of their own. */
function copyTypes(file) {
  const target = join(types, file);
  if (existsSync(target)) return;
  const core = relative(dirname(file), 'core') || '.';
  const ownCore = core.startsWith('.') ? core : `./${core}`;
  const home = file.startsWith('core/')
    ? join(root, 'packages/core/dist', file.slice(5))
    : join(compiled, file);
  const text = readFileSync(home, 'utf8')
    .replace(/\n\/\/# sourceMappingURL=.*/, '')
    .replaceAll(/from '@alas-jssp\/core\/(.*)';/g, `from '${ownCore}/$1.js';`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  for (const [, path] of text.matchAll(/^(?:import|export|\}) .*from '(.*)';$/gm)) {
    if (!path.startsWith('.'))
      throw new Error(`${file} needs the types of ${path}, which the engine does not ship`);
    copyTypes(normalize(join(dirname(file), path)).replace(/\.js$/, '.d.ts'));
  }
}
for (const entry of ENTRIES) copyTypes(`${entry}/index.d.ts`);
copyTypes('core/errors.d.ts');
writeFileSync(join(types, 'index.d.ts'), index('./core/errors.js'));

rmSync(join(here, 'benchmarks'), { recursive: true, force: true });
cpSync(join(root, 'benchmarks'), join(here, 'benchmarks'), { recursive: true });
