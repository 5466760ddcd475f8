import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { version as nodeVersion } from 'node:process';
import { timestamp } from '@alas-jssp/core/clock';
import { packageVersion } from '@alas-jssp/core/package-version';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import { plannerName } from '../../jssp/planner-name.js';
import type { RecordIdentity } from '../records/record.js';
import { isAllowedIn } from './fill-spec.js';
import { type FilledRunSpec, runSpecSchema } from './spec.js';
import { specDifferences } from './spec-differences.js';

const count = z.int().nonnegative();

/** The shape of `manifest.json`; `docs/reference/records.md` describes each key. */
export const manifestSchema = z.object({
  schema: schemaName('alas-jssp/manifest@1'),
  command: z.string().nullable(),
  version: z.string(),
  commit: z.string().nullable(),
  spec: runSpecSchema,
  instances: z.array(z.object({ instance: z.string(), suite: z.string(), sha256: z.string() })),
  // Address of the executor; absent for threads of the process.
  on: z.string().optional(),
  // Checksums of the files under `disruption`; null if there are none.
  checksums: z.object({ disruption: z.string(), policy: z.string() }).nullable(),
  machine: z.object({
    os: z.string(),
    cpus: count,
    model: z.string(),
    memory_bytes: count,
    node: z.string(),
  }),
  outcome: z.object({
    started: z.string(),
    finished: z.string().nullable(),
    interrupted: z.boolean(),
    // The reason of an early end other than an abort.
    stopped: z.string().nullable(),
    // Spending on models since the run started or was last resumed; null while it is running, and if it uses none.
    spent: z
      .object({
        requests: count,
        tokens: z.object({ input: count, output: count, estimated: z.boolean() }),
        cost_usd: z.number().nonnegative().nullable(),
        seconds: z.number().nonnegative(),
      })
      .nullable(),
  }),
});

/** The manifest of a run: its spec, instances, version and machine, and how it ended. */
export interface Manifest extends z.output<typeof manifestSchema> {}

/** The manifest of a run that starts now. */
export function startManifest(
  spec: FilledRunSpec,
  run: Pick<Manifest, 'command' | 'commit' | 'on' | 'instances' | 'checksums'>,
): Manifest {
  const { command, commit, on, instances, checksums } = run;
  return {
    schema: 'alas-jssp/manifest@1',
    command,
    version: packageVersion(),
    commit,
    spec,
    instances,
    ...(on === undefined ? {} : { on }),
    checksums,
    machine: {
      os: `${type()} ${release()} ${arch()}`,
      cpus: availableParallelism(),
      model: cpus()[0]?.model.trim() ?? 'unknown',
      memory_bytes: totalmem(),
      node: nodeVersion,
    },
    outcome: { started: timestamp(), ...UNFINISHED },
  };
}

/** The outcome of a run in progress. */
const UNFINISHED = { finished: null, interrupted: false, stopped: null, spent: null };

/** The manifest of a resumed run: the earlier manifest with the new execution settings. */
export function resumeManifest(before: Manifest, now: Manifest): Manifest {
  const spec = { ...now.spec, suite: before.spec.suite };
  const { on: _, ...rest } = before;
  const on = now.on === undefined ? {} : { on: now.on };
  return { ...rest, ...on, spec, outcome: { ...before.outcome, ...UNFINISHED } };
}

/** The identities of all records of a finished run, in the order of its matrix. */
export function* expectedCells({ spec, instances }: Manifest): Generator<RecordIdentity> {
  const { planners, variants, replicates } = spec;
  const methods = methodsOf(spec);
  for (const { instance } of instances) {
    for (const specification of planners) {
      const planner = plannerName(specification);
      for (const variant of variants.filter((name) => isAllowedIn(specification, name))) {
        for (let replicate = 0; replicate < replicates; replicate++) {
          for (const method of methods) yield { instance, planner, variant, method, replicate };
        }
      }
    }
  }
}

/** The methods of a run matrix: only null if schedules are not executed. */
export function methodsOf({
  disruption,
}: Pick<FilledRunSpec, 'disruption'>): readonly (string | null)[] {
  return disruption?.methods ?? [null];
}

/** The differences that prevent two runs from being parts of one run, one line each, such as `seed 1 instead of 0`. */
export function runDifferences(now: Manifest, before: Manifest): string[] {
  const made = (['version', 'commit'] as const)
    .filter((key) => now[key] !== before[key])
    .map((key) => `${key} ${now[key]} instead of ${before[key]}`);
  const settings = specDifferences(now.spec, before.spec, ['records', 'results', 'files']).map(
    ({ words, run, baseline }) => `${words} ${run} instead of ${baseline}`,
  );
  return [...made, ...settings, ...changedFiles(now, before), ...instanceDifferences(now, before)];
}

/** Event and policy files with the same name but other contents. */
function changedFiles(now: Manifest, before: Manifest): string[] {
  const [one, other] = [now.spec.disruption, before.spec.disruption];
  const lines: string[] = [];
  const isChanged = (key: 'disruption' | 'policy') =>
    now.checksums?.[key] !== before.checksums?.[key];
  if (one === null || other === null) return lines;
  if (one.spec === other.spec && isChanged('disruption')) {
    lines.push(`${one.spec} with other events`);
  }
  if (one.policy === other.policy && isChanged('policy')) {
    lines.push(`${one.policy} with other settings`);
  }
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
