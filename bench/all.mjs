// Runs the benchmarks of speed and memory, each in a process of its own, and writes results/bench/<name>.json;
// those of search, repair and the rest have scripts of their own in package.json.
// npm run bench builds first; `npm run bench -- validator timing` runs only those named.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const all = ['validator', 'timing', 'dispatch', 'parsing', 'memory'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n# ${name}`);
  const file = join(import.meta.dirname, `${name}.mjs`);
  const args = [file, '--json', join('results', 'bench', `${name}.json`)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
