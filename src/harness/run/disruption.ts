import { readBytes } from '../../core/bytes.js';
import { InputError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
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

/** Disruptions and their policy as they were read, in plain JSON: nothing is read again to resolve them. */
export interface DisruptionContent {
  /**
   * Of what the spec names: a short form has nothing beside it, a file its bytes in Base64, and
   * `instance` the events that the file of each instance carries.
   */
  readonly spec: string;
  readonly file?: string;
  readonly ofInstances?: Readonly<Record<string, readonly DisruptionEvent[]>>;
  /** The name of a policy, or the name of its file and its bytes in Base64. */
  readonly policy: { readonly spec: string; readonly file?: string };
}

/** Disruptions that were read, once for a whole run. */
export interface RunDisruption {
  readonly content: DisruptionContent;
  /** Of what the spec names, for the manifest. */
  readonly checksums: NonNullable<Manifest['checksums']>;
  /**
   * The events or injectors for an instance, and the policy as it is for it.
   *
   * @throws InputError if a file names jobs, steps or machines that the instance does not have
   */
  resolve(instance: Instance): { readonly disruption: Disruption; readonly policy: OpenPolicy };
}

/** A severity or short form; whatever else there is names a file. */
const SHORT_FORM = /^[a-z]{2,}(?:[:+]|$)/i;

/** The disruptions that the files of the instances carry themselves. */
const OF_INSTANCE = 'instance';

/**
 * Reads disruptions and their policy. Files are read here and not again, so that nothing changes
 * while a run goes on.
 *
 * @param sources the instances of the run: the spec `instance` has their files read for events
 * @throws InputError that names what is wrong with the disruption or the policy
 */
export function readDisruption(
  { spec, policy }: Pick<NonNullable<FilledRunSpec['disruption']>, 'spec' | 'policy'>,
  sources: readonly InstanceSource[] = [],
): RunDisruption {
  return resolveDisruption({ spec, ...readEvents(spec, sources), policy: readPolicy(policy) });
}

/** Disruptions whose files were read before, here or elsewhere. */
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

/** Something that may depend on the instance, and the checksum of what it was read from. */
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

/** The events that each instance carries in its own file. */
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
