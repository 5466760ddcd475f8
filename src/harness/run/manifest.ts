import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { version as nodeVersion } from 'node:process';
import { z } from 'zod';
import { REPAIRERS } from '../../pipeline/blueprint/spec.js';
import type { RecordIdentity } from '../records/record.js';

const count = z.int().nonnegative();
const limit = z.number().positive().nullable();

/** The shape of `manifest.json`; `docs/records.md` tells what each key means. */
export const manifestSchema = z.object({
  schema: z.literal('alas-jssp/manifest@1'),
  command: z.string().nullable(),
  version: z.string(),
  commit: z.string().nullable(),
  seed: count,
  machine: z.object({
    os: z.string(),
    cpus: count,
    model: z.string(),
    memory_bytes: count,
    node: z.string(),
  }),
  suite: z.string().nullable(),
  instances: z.array(z.object({ instance: z.string(), suite: z.string(), sha256: z.string() })),
  planners: z.array(z.string()),
  variants: z.array(z.string()),
  replicates: count,
  // Manifests of before there were these stages say nothing of them.
  repair: z.boolean().default(false),
  repairer: z.enum(REPAIRERS).default('lcrp'),
  rounds: z.int().positive().default(1),
  optimize: z.string().nullable().default(null),
  disruption: z
    .object({
      spec: z.string(),
      sha256: z.string(),
      methods: z.array(z.string()),
      policy: z.string(),
      policy_sha256: z.string(),
    })
    .nullable()
    .default(null),
  workers: count,
  limits: z.object({
    seconds: z.number().positive().nullable(),
    megabytes: z.number().positive().nullable(),
  }),
  log: z.string().nullable().default(null),
  models: z
    .object({
      record: z.string().nullable(),
      prices: z.string().nullable(),
      concurrency: z.int().positive(),
      requests_per_minute: z.number().positive().nullable(),
      tokens_per_minute: z.number().positive().nullable(),
      budget: z.object({ tokens: limit, usd: limit, seconds: limit }),
      // What this run, since it was last resumed, paid for; null while it goes on.
      spent: z
        .object({
          requests: count,
          tokens: z.object({ input: count, output: count, estimated: z.boolean() }),
          cost_usd: z.number().nonnegative().nullable(),
          seconds: z.number().nonnegative(),
        })
        .nullable(),
    })
    .nullable()
    .default(null),
  save_schedules: z.boolean(),
  started: z.string(),
  finished: z.string().nullable(),
  interrupted: z.boolean(),
  // Why it ended before its time, if not because somebody stopped it.
  stopped: z.string().nullable().default(null),
});

/** What was run, on what, with which settings. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The computer this runs on, as far as it matters for times. */
export function describeMachine(): Manifest['machine'] {
  return {
    os: `${type()} ${release()} ${arch()}`,
    cpus: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memory_bytes: totalmem(),
    node: nodeVersion,
  };
}

/** What tells the records of a finished run apart: one for each, in the order of its matrix. */
export function* expectedCells(manifest: Manifest): Generator<RecordIdentity> {
  const { instances, planners, variants, replicates } = manifest;
  const methods = methodsOf(manifest);
  for (const { instance } of instances) {
    for (const planner of planners) {
      for (const variant of variants) {
        for (let replicate = 0; replicate < replicates; replicate++) {
          for (const method of methods) yield { instance, planner, variant, method, replicate };
        }
      }
    }
  }
}

/** The methods of a run matrix: null alone where schedules are not executed. */
export function methodsOf({ disruption }: Pick<Manifest, 'disruption'>): (string | null)[] {
  return disruption?.methods ?? [null];
}

/**
 * What keeps two runs from being parts of one run: one line for each setting that differs, such
 * as `seed 1 instead of 0`.
 */
export function settingDifferences(now: Manifest, before: Manifest): string[] {
  const differences = (
    ['version', 'commit', 'seed', 'planners', 'variants', 'replicates', 'save_schedules'] as const
  )
    .filter((key) => String(now[key]) !== String(before[key]))
    .map((key) => `${key} ${now[key]} instead of ${before[key]}`);
  return [...differences, ...optionalDifferences(now, before), ...instanceDifferences(now, before)];
}

/** Those of settings that a run may do without. */
function optionalDifferences(now: Manifest, before: Manifest): string[] {
  const words = (value: unknown, unit = '') => `${value ?? 'none'}${value == null ? '' : unit}`;
  const [limits, old] = [now.limits, before.limits];
  const lines = [
    ['repair', now.repair ? 'on' : 'off', before.repair ? 'on' : 'off'],
    ['repairs by', now.repairer, before.repairer],
    ['rounds', words(now.rounds), words(before.rounds)],
    ['optimize', now.optimize ?? 'none', before.optimize ?? 'none'],
    ['disruption', words(now.disruption?.spec), words(before.disruption?.spec)],
    ['methods', words(now.disruption?.methods), words(before.disruption?.methods)],
    ['policy', words(now.disruption?.policy), words(before.disruption?.policy)],
    ['time limit', words(limits.seconds, ' s'), words(old.seconds, ' s')],
    ['memory limit', words(limits.megabytes, ' MB'), words(old.megabytes, ' MB')],
  ];
  const differences = lines
    .filter(([, is, was]) => is !== was)
    .map(([what, is, was]) => `${what} ${is} instead of ${was}`);
  return [...differences, ...changedFiles(now, before)];
}

/** Files of events and policies that have the same name, but other contents now. */
function changedFiles({ disruption: now }: Manifest, { disruption: before }: Manifest): string[] {
  const lines: string[] = [];
  if (now === null || before === null) return lines;
  const isChanged = now.spec === before.spec && now.sha256 !== before.sha256;
  if (isChanged) lines.push(`${now.spec} with other events`);
  const isOtherPolicy = now.policy === before.policy && now.policy_sha256 !== before.policy_sha256;
  if (isOtherPolicy) lines.push(`${now.policy} with other settings`);
  return lines;
}

function instanceDifferences(now: Manifest, before: Manifest): string[] {
  const checksums = checksumsOf(before);
  const names = new Set(now.instances.map(({ instance }) => instance));
  const lines = (what: string, found: readonly string[]) =>
    found.length === 0 ? [] : [`${what}: ${enumerate(found)}`];
  return [
    ...lines(
      'instances that were not in it',
      namesOf(now).filter((name) => !checksums.has(name)),
    ),
    ...lines(
      'instances left out',
      namesOf(before).filter((name) => !names.has(name)),
    ),
    ...lines('instances with other numbers', changedInstances(now, before)),
  ];
}

/** Names of the instances that both runs have, but with different checksums. */
export function changedInstances(now: Manifest, before: Manifest): string[] {
  const checksums = checksumsOf(before);
  return now.instances
    .filter(({ instance, sha256 }) => (checksums.get(instance) ?? sha256) !== sha256)
    .map(({ instance }) => instance);
}

/** The first few of many names, in words. */
export function enumerate(names: readonly string[], limit = 5): string {
  const rest = names.length - limit;
  return names.slice(0, limit).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function checksumsOf({ instances }: Manifest): Map<string, string> {
  return new Map(instances.map(({ instance, sha256 }) => [instance, sha256]));
}

function namesOf({ instances }: Manifest): string[] {
  return instances.map(({ instance }) => instance);
}
