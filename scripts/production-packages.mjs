// The packages of others that users of the published packages install, from the lock files: dependencies, peers, and what
// bundles contain. Development tools are none of them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));

/** The lock files of published packages. */
export const LOCKS = ['package-lock.json', 'packages/temporal/package-lock.json'];

/** Licences of packages that state them only in a file of their own. */
const IN_FILES = { unionfs: 'Unlicense' };

/** Packages that are never published, and dependencies for development that bundles contain. */
const PRIVATE = ['packages/lab', 'scripts/client-types'];
const BUNDLED = {
  '': ['@anthropic-ai/sdk', '@noble/hashes', '@observablehq/plot', 'openai', 'preact'],
  'packages/service': [
    '@fastify/swagger',
    '@modelcontextprotocol/server',
    'fastify',
    'fastify-type-provider-zod',
    'preact',
    'prom-client',
    'supports-color',
  ],
};

/**
 * All production packages of a lock file, sorted by name and version.
 *
 * @returns {{ name: string, version: string, license: string, integrity: string, hasInstallScript: boolean, path: string }[]}
 */
export function productionPackages(lock = LOCKS[0]) {
  const { packages } = JSON.parse(readFileSync(join(home, lock), 'utf8'));
  const isOurs = (path) => !path.includes('node_modules/') && !PRIVATE.includes(path);
  const found = new Map();
  const open = Object.keys(packages).filter(isOurs);
  const seen = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entry = packages[path];
    for (const name of namesOf(entry, BUNDLED[lock === LOCKS[0] ? path : 'none'] ?? [])) {
      const at = resolve(packages, path, name);
      // A peer or an optional package that the lock leaves out.
      if (at === undefined || seen.has(at)) continue;
      seen.add(at);
      open.push(at);
      const {
        version,
        license = IN_FILES[name] ?? 'UNKNOWN',
        integrity = '',
        hasInstallScript = false,
      } = packages[at];
      if (isForeign(at))
        found.set(at, { name, version, license, integrity, hasInstallScript, path: at });
    }
  }
  return [...found.values()].sort(
    (a, b) => compare(a.name, b.name) || compare(a.version, b.version),
  );
}

/** Lock files hold links to our own packages as well. */
function isForeign(path) {
  return path.includes('node_modules/') && !/node_modules\/(?:@alas-jssp\/|alas-jssp$)/.test(path);
}

function namesOf(
  { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} },
  more,
) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta[name]?.optional,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers, ...more];
}

/** Where Node finds a package from another one. */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.includes('/') ? dirname(at) : '') {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    const entry = packages[path];
    if (entry !== undefined) return entry.link ? entry.resolved : path;
    if (at === '') return undefined;
  }
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
