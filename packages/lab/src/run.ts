// Runs a benchmark by its name: `npm run bench -- NAME [options]`. Without a name it runs those of speed and memory, each
// in a process of its own, and writes results/bench/NAME.json. README.md lists the names.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SPEED = ['validator', 'timing', 'dispatch', 'parsing', 'memory'];

const [name, ...options] = process.argv.slice(2);
if (name === undefined) {
  for (const each of SPEED) measureSpeed(each);
} else {
  await run(name, options);
}

/** Runs one script in this process, with its own options. */
async function run(script: string, args: readonly string[]) {
  const file = fileOf(script);
  if (!existsSync(file)) {
    console.error(`there is no benchmark ${script}: packages/lab/README.md lists them`);
    process.exit(2);
  }
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

function measureSpeed(script: string) {
  console.log(`\n# ${script}`);
  const args = [fileOf(script), '--json', join('results', 'bench', `${script}.json`)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function fileOf(script: string) {
  return join(import.meta.dirname, `${script}.js`);
}
