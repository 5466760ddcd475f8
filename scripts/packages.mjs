import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

export const root = fileURLToPath(new URL('..', import.meta.url));

const siblingsOf = ({ dependencies, peerDependencies }) => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}),
];

/** The packages that are published, each after those it depends on: their folders and manifests. */
export function publishedPackages() {
  const all = globSync(['package.json', 'packages/*/package.json'], { cwd: root })
    .sort()
    .map((file) => ({
      folder: dirname(file),
      manifest: JSON.parse(readFileSync(join(root, file), 'utf8')),
    }))
    .filter(({ manifest }) => !manifest.private);
  const byName = new Map(all.map((one) => [one.manifest.name, one]));
  const ordered = new Set();
  const visit = (one) => {
    if (one === undefined || ordered.has(one)) return;
    for (const name of siblingsOf(one.manifest)) visit(byName.get(name));
    ordered.add(one);
  };
  for (const one of all) visit(one);
  return [...ordered];
}

/** Entries that only the private package of benchmarks imports. */
const PRIVATE_ENTRIES = ['./internal/lab'];

/** Keys that mean something in the repository only. */
const KEYS_OF_REPOSITORY = [
  'allowScripts',
  'devDependencies',
  'overrides',
  'scripts',
  'workspaces',
];

/**
 * The manifest in the tarball: without the conditions that lead to sources, which are not in it, and without what is
 * for developers of the package.
 */
export function manifestForRegistry(manifest) {
  const published = Object.fromEntries(
    Object.entries(manifest).filter(([key]) => !KEYS_OF_REPOSITORY.includes(key)),
  );
  published.exports = Object.fromEntries(
    Object.entries(manifest.exports)
      .filter(([entry]) => !PRIVATE_ENTRIES.includes(entry))
      .map(([entry, target]) => {
        if (typeof target === 'string') return [entry, target];
        const { 'alas-source': _, ...conditions } = target;
        return [entry, conditions];
      })
      .filter(([, target]) => Object.keys(target).length > 0),
  );
  return published;
}

/**
 * A README as the registry shows it: links to files that are not in the tarball lead to the repository, at the tag of
 * the version.
 */
export function readmeForRegistry(text, { folder, manifest }, isPacked) {
  const url = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  const base = new URL(`${folder === '.' ? '' : `${folder}/`}`, 'file:///');
  return text.replaceAll(/\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (whole, path, anchor = '') =>
    isPacked(path)
      ? whole
      : `](${url}/blob/v${manifest.version}${new URL(path, base).pathname}${anchor})`,
  );
}

/** Whether the libraries of a package with a lock file of its own are installed; the others share the root's. */
export const isInstalled = (folder) =>
  !existsSync(join(root, folder, 'package-lock.json')) ||
  existsSync(join(root, folder, 'node_modules'));
