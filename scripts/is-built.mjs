// Answers `npm run prepare` whether the build can be skipped (exit code 0). `npx alas-jssp` in a clone prepares the clone
// before it starts the command, with some versions of npm every time: it uses any build. `npm ci` prepares this package twice,
// because packages/* link to it: the second time, the build is newer than the sources.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const first = join(root, 'dist/cli/main.js');
/** What the build writes last. */
const last = join(root, 'packages/engine/dist/code/index.js');

const time = (file) =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

function isCurrent() {
  const built = Math.min(time(first), time(last));
  const packages = [
    'core',
    'workflow',
    'living-plan',
    'convert',
    'changeset',
    'coordination',
    'service',
    'agents',
    'blueprint',
  ].map((name) => `packages/${name}/src`);
  const sources = ['src', 'scripts', ...packages]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
    );
  return [
    'package.json',
    'packages/engine/build.mjs',
    'packages/service/build.mjs',
    ...sources,
  ].every((file) => time(join(root, file)) < built);
}

const isBuilt = process.env.npm_command === 'exec' ? Number.isFinite(time(first)) : isCurrent();
process.exitCode = isBuilt ? 0 : 1;
