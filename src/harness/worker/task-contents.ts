import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { instanceChecksum } from '../../jssp/checksum.js';
import { parseInstance } from '../../jssp/formats/read-instance.js';
import type { Instance } from '../../jssp/instance.js';
import { shareInstance } from '../../jssp/share-instance.js';
import { benchmarkByChecksum } from '../../jssp/suites.js';
import { planModules, planSource } from '../../pipeline/planners/planners.js';
import { type BundleInstance, moduleChecksum, type RunBundle } from '../run/run-bundle.js';
import { KEPT_OPERATIONS } from '../run/sources.js';
import type { Cell, SentFile } from './task.js';

/** Fetches one of the `bundleContents`, by its SHA-256. */
export type FetchContent = (sha256: string) => Promise<Uint8Array>;

/**
 * Compares the files of a planner with those of the process that started the run.
 *
 * @returns a checksum of them; null for planners of this package
 */
export function checkModules({ modules }: RunBundle, planner: string): string | null {
  const paths = planModules(planner).filter((path) => path in modules);
  const checksums = paths.map((path) => checkModule(path, modules[path]));
  return checksums.length === 0 ? null : checksums.join(' ');
}

function checkModule(path: string, wanted: string): string {
  const found = existsSync(path) ? moduleChecksum(path) : undefined;
  if (found !== undefined && found === wanted) return found;
  const problem =
    found === undefined
      ? 'there is no such file'
      : `this is not the planner that the run was begun with (SHA-256 ${short(found)}, not ${short(wanted)})`;
  throw new InputError(
    'other_module',
    `on ${hostname()} ${problem}`,
    'copy it to every worker, under the same path from the directory in which the worker is started',
    { file: resolve(path) },
    found,
  );
}

/** The plan file of a cell's planner, as it was when the run started. */
export async function planFileOf(
  { plans }: RunBundle,
  { specification, instance }: Cell,
  fetch: FetchContent,
): Promise<SentFile | undefined> {
  const path = planSource(specification, instance)?.path;
  if (path === undefined) return undefined;
  const wanted = plans[path];
  if (typeof wanted !== 'string') {
    return { path, sha256: sha256(JSON.stringify(wanted)), content: wanted };
  }
  return { path, sha256: wanted, content: await fetchChecked(fetch, wanted) };
}

/** Fetches content and verifies its checksum. */
async function fetchChecked(fetch: FetchContent, wanted: string): Promise<Uint8Array> {
  const content = await fetch(wanted);
  if (sha256(content) === wanted) return content;
  throw new InputError(
    'other_content',
    `what came to ${hostname()} is not what was sent (SHA-256 ${short(wanted)})`,
    'start the run again',
    {},
    wanted,
  );
}

/** The beginning of a checksum, for people. */
function short(checksum: string): string {
  return checksum.slice(0, 12);
}

/** Instances of tasks, in shared memory. */
interface InstanceStore {
  load(instance: BundleInstance, fetch: FetchContent): Promise<Instance>;
}

/** Keeps the instances that were used last, up to {@link KEPT_OPERATIONS}. */
export function createInstanceStore(): InstanceStore {
  const kept = new Map<string, Promise<Instance>>();
  const forgetOldest = async (): Promise<void> => {
    let operations = 0;
    for (const [key, loading] of [...kept].reverse()) {
      const instance = await loading.catch(() => null);
      operations += instance?.operations ?? 0;
      if (instance === null || operations > KEPT_OPERATIONS) kept.delete(key);
    }
  };
  return {
    async load(wanted, fetch) {
      const key = JSON.stringify([wanted.name, wanted.content ?? wanted.sha256]);
      const loading = kept.get(key) ?? loadInstance(wanted, fetch);
      kept.delete(key);
      kept.set(key, loading);
      try {
        return await loading;
      } finally {
        void forgetOldest();
      }
    },
  };
}

/** Finds a benchmark, or fetches another instance, and verifies that it is that of the run. */
async function loadInstance(wanted: BundleInstance, fetch: FetchContent): Promise<Instance> {
  const { name, sha256, content } = wanted;
  const instance =
    content === null
      ? benchmarkByChecksum(sha256)?.load()
      : parseInstance(await fetchChecked(fetch, content), { file: `${name}.json`, name });
  if (instance !== undefined && (content === null || instanceChecksum(instance) === sha256)) {
    return shareInstance({ ...instance, name });
  }
  throw new InputError(
    'other_instance',
    `on ${hostname()} the instance ${name} is not that of the run (SHA-256 ${sha256.slice(0, 12)})`,
    'have all workers run the same version of this package',
    {},
    name,
  );
}
