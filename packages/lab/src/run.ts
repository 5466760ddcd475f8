// Runs a benchmark or a trial by its name: `npm run bench -- NAME [options]`, `npm run trials -- NAME [options]`. Without a
// name, `bench` runs those of speed and memory, each in a process of its own, and writes results/bench/NAME.json. README.md
// lists the names.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SPEED = ['validator', 'timing', 'dispatch', 'parsing', 'memory'];

/** Scripts of trials, with the options that they always have. */
const TRIALS: Record<string, string[]> = {
  service: ['service-trials'],
  crash: ['crash-trials'],
  repair: ['repair-streams', '--out', 'results/repair-streams'],
  conformance: ['conformance-trials'],
  simulation: ['simulation'],
};

const [kind, name, ...options] = process.argv.slice(2);
if (kind === 'trials') {
  const [script, ...always] = TRIALS[name ?? ''] ?? [];
  if (script === undefined) refuse(`name a trial: ${Object.keys(TRIALS).join(', ')}`);
  await run(script, [...always, ...options]);
} else if (name === undefined) {
  for (const each of SPEED) measureSpeed(each);
} else {
  await run(name, options);
}

/** Runs one script in this process, with its own options. */
async function run(script: string, args: readonly string[]) {
  const file = fileOf(script);
  if (file === undefined) {
    refuse(`there is no benchmark ${script}: packages/lab/README.md lists them`);
  }
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

function measureSpeed(script: string) {
  console.log(`\n# ${script}`);
  const file = join(import.meta.dirname, `${script}.js`);
  const args = [file, '--json', join('results', 'bench', `${script}.json`)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The file of a script, also of one that is still in bench/. */
function fileOf(script: string): string | undefined {
  const here = join(import.meta.dirname, `${script}.js`);
  const bench = join(import.meta.dirname, '../../../bench', `${script}.mjs`);
  return [here, bench].find((file) => existsSync(file));
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
