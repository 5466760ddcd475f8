import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { type DisruptionEvent, parseEvents, parseParameters } from '../../disruption/index.js';
import { readInstanceEvents } from '../../disruption/realm-events.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import type { InstanceSource } from '../../jssp/suites.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { loadPolicy, parsePolicy } from '../../lcrp/policy/policy-file.js';
import type { Disruption } from '../../pipeline/handlers/execute-stage.js';
import type { Manifest } from './manifest.js';
import type { FilledRunSpec } from './spec.js';

/** Disruptions and their policy in plain JSON; they can be resolved without reading files again. */
export interface DisruptionContent {
  /**
   * The disruption spec: a short form has no files, a file its bytes in Base64, and `instance` the events in the file
   * of each instance.
   */
  readonly spec: string;
  readonly file?: string;
  readonly ofInstances?: Readonly<Record<string, readonly DisruptionEvent[]>>;
  /** The name of a policy, or the name of its file and its bytes in Base64. */
  readonly policy: { readonly spec: string; readonly file?: string };
}

/** Disruptions, read once for a whole run. */
export interface RunDisruption {
  readonly content: DisruptionContent;
  /** Checksums of the spec's files, for the manifest. */
  readonly checksums: NonNullable<Manifest['checksums']>;
  /**
   * The events or injectors and the policy for an instance.
   *
   * @throws InputError if a file names jobs, steps or machines that the instance does not have
   */
  resolve(instance: Instance): { readonly disruption: Disruption; readonly policy: OpenPolicy };
}

/** A severity or short form; any other text is a file name. */
const SHORT_FORM = /^[a-z]{2,}(?:[:+]|$)/i;

/** The disruptions in the instance files. */
const OF_INSTANCE = 'instance';

/**
 * Reads disruptions and their policy. Files are read only once, so that later changes do not affect a run.
 *
 * @param sources the instances of the run: for the spec `instance`, events are read from their files
 * @throws InputError if the disruption or the policy is invalid
 */
export function readDisruption(
  { spec, policy }: Pick<NonNullable<FilledRunSpec['disruption']>, 'spec' | 'policy'>,
  sources: readonly InstanceSource[] = [],
): RunDisruption {
  return resolveDisruption({ spec, ...readEvents(spec, sources), policy: readPolicy(policy) });
}

/** Disruptions whose files were read before, here or on another machine. */
export function resolveDisruption(content: DisruptionContent): RunDisruption {
  const events = eventsOf(content);
  const rules = rulesOf(content.policy);
  return {
    content,
    checksums: { disruption: events.sha256, policy: rules.sha256 },
    resolve: (instance) => ({
      disruption: events.resolve(instance),
      policy: rules.resolve(instance),
    }),
  };
}

function readEvents(
  spec: string,
  sources: readonly InstanceSource[],
): Pick<DisruptionContent, 'file' | 'ofInstances'> {
  if (spec === OF_INSTANCE) {
    const events = sources.map(({ name, path }) => [name, readInstanceEvents(path)] as const);
    return { ofInstances: Object.fromEntries(events) };
  }
  return SHORT_FORM.test(spec) ? {} : { file: toBase64(readBytes(spec)) };
}

function readPolicy(spec: string): DisruptionContent['policy'] {
  const found = loadPolicy(spec);
  return found instanceof Uint8Array ? { spec, file: toBase64(found) } : { spec };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A value that may depend on the instance, and the checksum of its source. */
interface Resolvable<T> {
  readonly sha256: string;
  resolve(instance: Instance): T;
}

function eventsOf({ spec, file, ofInstances }: DisruptionContent): Resolvable<Disruption> {
  if (ofInstances !== undefined) return ownEvents(new Map(Object.entries(ofInstances)));
  if (file !== undefined) return fileEvents(Buffer.from(file, 'base64'), spec);
  const parameters = parseParameters(spec);
  return { sha256: sha256(JSON.stringify(parameters)), resolve: () => parameters };
}

/** The events in the file of each instance. */
function ownEvents(
  events: ReadonlyMap<string, readonly DisruptionEvent[]>,
): Resolvable<Disruption> {
  return {
    sha256: sha256(JSON.stringify([...events].sort(([a], [b]) => (a < b ? -1 : 1)))),
    resolve: ({ name }) => events.get(name) ?? [],
  };
}

function fileEvents(bytes: Uint8Array, spec: string): Resolvable<Disruption> {
  parseEvents(bytes, spec);
  const resolve = (instance: Instance) => {
    const { events, instance: claimed } = parseEvents(bytes, spec, { instance });
    if (claimed !== undefined && !isSameInstanceName(claimed, instance.name)) {
      throw new InputError(
        'other_instance',
        `the events are for ${claimed}, not for ${instance.name}`,
        'run that instance alone, or leave out `instance` in the file',
        { file: spec, path: '$.instance' },
        claimed,
      );
    }
    return events;
  };
  return { sha256: sha256(bytes), resolve };
}

function rulesOf({ spec, file }: DisruptionContent['policy']): Resolvable<OpenPolicy> {
  if (file === undefined) {
    const policy = loadPolicy(spec) as OpenPolicy;
    return { sha256: sha256(JSON.stringify(policy)), resolve: () => policy };
  }
  const bytes = Buffer.from(file, 'base64');
  const resolve = (instance: Instance) => parsePolicy(bytes, instance, spec);
  return { sha256: sha256(bytes), resolve };
}
