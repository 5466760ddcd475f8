// Runs a benchmark or a trial by its name: `npm run bench -- NAME [options]`, `npm run trials -- NAME [options]`. Without a
// name, `bench` runs those of speed and memory, each in a process of its own, and writes results/bench/NAME.json. README.md
// lists the names.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SPEED = ['validator', 'timing', 'dispatch', 'parsing', 'memory'];

const [kind, name, ...options] = process.argv.slice(2);
if (kind === 'trials') await run(join(import.meta.dirname, 'trials'), name ?? '', options);
else if (name !== undefined) await run(import.meta.dirname, name, options);
else for (const each of SPEED) measureSpeed(each);

/** Runs a script of a folder in this process, with its own options. */
async function run(folder: string, script: string, args: readonly string[]) {
  const file = join(folder, `${script}.js`);
  if (!existsSync(file)) {
    const names = readdirSync(folder).filter((each) => each.endsWith('.js'));
    const known = names.map((each) => each.slice(0, -3)).join(', ');
    console.error(`there is no '${script}': packages/lab/README.md describes ${known}`);
    process.exit(2);
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
