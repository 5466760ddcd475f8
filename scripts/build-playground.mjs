// Bundles the playground: a static page of one script, a style and index.html, with benchmarks inside.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { globSync } from 'tinyglobby';
import { browserModules } from './browser-modules.mjs';
import { bundlePage } from './bundle-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'src/playground';
const target = 'dist/playground';

/** The suites in the page, and the names of their instances in it; null for all. */
const SUITES = [
  ['ft', null],
  ['la', null],
  ['abz', null],
  ['orb', null],
  ['ta', ['ta01', 'ta11', 'ta21', 'ta31', 'ta41', 'ta51', 'ta61', 'ta71']],
  ['dmu', ['dmu01', 'dmu41']],
  ['mk', null],
];

/** The benchmarks of a suite, with their texts and bounds. */
function benchmarksOf([suite, names]) {
  const folder = join(root, 'benchmarks', suite);
  const [, ...lines] = readFileSync(join(folder, 'bounds.csv'), 'utf8').trim().split(/\r?\n/);
  return lines
    .map((line) => line.split(','))
    .filter(([name]) => names === null || names.includes(name))
    .map(([name, lower, upper, asOf]) => {
      const [path] = globSync(`${name}.{txt,fjs,txt.gz,fjs.gz}`, { cwd: folder });
      const bytes = readFileSync(join(folder, path));
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      const file = path.replace(/\.gz$/, '');
      return { name, file, text, lower: Number(lower), upper: Number(upper), asOf };
    });
}

/** Benchmarks as a module. */
const benchmarkModule = {
  name: 'benchmarks of the playground',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^playground-benchmarks$/ }, ({ path }) => ({
      path,
      namespace: 'benchmarks',
    }));
    onLoad({ filter: /.*/, namespace: 'benchmarks' }, () => {
      const first = JSON.parse(readFileSync(join(root, source, 'first-plan.json'), 'utf8'));
      const benchmarks = SUITES.flatMap(benchmarksOf);
      const contents = `export const benchmarks = ${JSON.stringify(benchmarks)};
export const optimizedStarts = ${JSON.stringify(first)};`;
      return { contents, loader: 'js' };
    });
  },
};

await bundlePage({
  source,
  target,
  plugins: [browserModules, benchmarkModule],
  // The text of this function is also the code of the page's worker.
  wrapper: 'alasPlayground',
});
copyFileSync(join(root, source, 'index.html'), join(root, target, 'index.html'));
