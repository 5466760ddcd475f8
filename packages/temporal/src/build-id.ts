import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { pid } from 'node:process';
import { fileURLToPath } from 'node:url';

let known: string | undefined;

/**
 * The build of alas-jssp and of this package: the version and the start of a SHA-256 over all files
 * that they run. Two machines with the same build make the same records.
 */
export function buildId(): string {
  known ??= readBuildId();
  return known;
}

/**
 * The queue from which only workers of this build take tasks, beside the queue that all workers
 * share.
 */
export function taskQueue(queue: string, build = buildId()): string {
  return `${queue}@${build}`;
}

/** The identity of a worker, which shows its build. */
export function workerIdentity(): string {
  return `${pid}@${hostname()} ${buildId()}`;
}

/** The build in the identity of a worker, if it is a worker of this package. */
export function buildOfWorker(identity: string): string | undefined {
  return / (\S+)$/.exec(identity)?.[1];
}

function readBuildId(): string {
  const core = createRequire(import.meta.url).resolve('alas-jssp/package.json');
  const { version } = JSON.parse(readFileSync(core, 'utf8')) as { version: string };
  const places = [join(dirname(core), 'dist'), fileURLToPath(new URL('../dist', import.meta.url))];
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of programsIn(place)) {
      hash.update(`${file.split(sep).join('/')}\n`).update(readFileSync(join(place, file)));
    }
  }
  return `${version}-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * The executed files in a fixed order; the workflow bundle is made of others, and contains their
 * paths.
 */
function programsIn(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|json|wasm)$/.test(file) && !file.endsWith('workflow-bundle.js'))
    .sort();
}
