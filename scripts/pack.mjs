// Builds the published packages and packs each into a tarball, as it goes to the registry. FOLDER/index.json lists
// the tarballs, each after those that it depends on.
// Usage: npm run pack [-- [FOLDER] [--all] [--no-build]]
//   FOLDER      where to write (default: packed)
//   --all       fail if a package cannot be built; else one whose libraries are not installed is skipped
//   --no-build  use the builds that are there
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { npm } from './npm.mjs';
import {
  isInstalled,
  manifestForRegistry,
  publishedPackages,
  readmeForRegistry,
  root,
} from './packages.mjs';

const args = process.argv.slice(2);
const out = resolve(args.find((word) => !word.startsWith('--')) ?? join(root, 'packed'));
const say = (line) => process.stdout.write(`${line}\n`);

const at = (folder) => ({ cwd: join(root, folder) });

/** The files of each package, as npm selects them. */
function listFiles(packages) {
  const folders = packages.map(({ folder }) => (folder === '.' ? folder : `./${folder}`));
  const listed = JSON.parse(
    npm(['pack', ...folders, '--dry-run', '--json', '--ignore-scripts'], at('.')),
  );
  return listed.map(({ files }) => files.map(({ path }) => path));
}

/** Copies a package as it will be in its tarball. */
function stage(one, files, target) {
  const { folder, manifest } = one;
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, folder, file), join(target, file));
  }
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const isPacked = (path) => files.some((file) => file === path || file.startsWith(`${path}/`));
  writeFileSync(join(target, 'README.md'), readmeForRegistry(readme, one, isPacked));
  const published = JSON.stringify(manifestForRegistry(manifest), null, 2);
  writeFileSync(join(target, 'package.json'), `${published}\n`);
}

function selectPackages() {
  const all = publishedPackages();
  const missing = all.filter(({ folder }) => !isInstalled(folder));
  for (const { folder, manifest } of missing) {
    const line = `${manifest.name} is not packed: run npm --prefix ${folder} ci --ignore-scripts first`;
    if (args.includes('--all')) throw new Error(line);
    say(line);
  }
  return all.filter((one) => !missing.includes(one));
}

/** Builds all packages. Those with a lock file of their own are built after the others, which they use. */
function build(packages) {
  npm(['run', 'build'], { ...at('.'), stdio: ['ignore', 'inherit', 'inherit'] });
  for (const { folder } of packages.filter(({ manifest }) => manifest.name.endsWith('/temporal')))
    npm(['run', 'build'], { ...at(folder), stdio: ['ignore', 'inherit', 'inherit'] });
}

const packages = selectPackages();
if (!args.includes('--no-build')) build(packages);
const staging = mkdtempSync(join(tmpdir(), 'alas-pack-'));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const files = listFiles(packages);
  const folders = packages.map((one, index) => {
    const target = join(staging, String(index));
    stage(one, files[index], target);
    return target;
  });
  const options = ['--json', '--ignore-scripts', '--pack-destination', out];
  const packed = JSON.parse(npm(['pack', ...folders, ...options], at('.')));
  const index = packed.map(({ name, version, filename, size, unpackedSize, entryCount }) => ({
    name,
    version,
    file: filename,
    size,
    unpackedSize,
    files: entryCount,
  }));
  writeFileSync(join(out, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  for (const { file, size, files } of index)
    say(`${file}  ${Math.round(size / 1000)} kB, ${files} files`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
