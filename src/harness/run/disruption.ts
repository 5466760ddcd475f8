import { readBytes } from '../../core/bytes.js';
import { InputError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
import { parseEvents, parseParameters } from '../../disruption/index.js';
import { readInstanceEvents } from '../../disruption/realm-events.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import type { InstanceSource } from '../../jssp/suites.js';
import type { RepairPolicy } from '../../lcrp/policy/policy.js';
import { loadPolicy, parsePolicy } from '../../lcrp/policy/policy-file.js';
import type { Disruption } from '../../pipeline/handlers/execute-stage.js';
import type { Manifest } from './manifest.js';
import type { FilledRunSpec } from './spec.js';

/** Disruptions that were read, once for a whole run. */
export interface RunDisruption {
  /** Of what the spec names, for the manifest. */
  readonly checksums: NonNullable<Manifest['checksums']>;
  /**
   * The events or injectors for an instance, and the policy as it is for it.
   *
   * @throws InputError if a file names jobs, steps or machines that the instance does not have
   */
  resolve(instance: Instance): { readonly disruption: Disruption; readonly policy: RepairPolicy };
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
  const events = spec === OF_INSTANCE ? readOwnEvents(sources) : readWhatHappens(spec);
  const rules = readRules(policy);
  return {
    checksums: { disruption: events.sha256, policy: rules.sha256 },
    resolve: (instance) => ({
      disruption: events.resolve(instance),
      policy: rules.resolve(instance),
    }),
  };
}

/** Something that may depend on the instance, and the checksum of what it was read from. */
interface Resolvable<T> {
  readonly sha256: string;
  resolve(instance: Instance): T;
}

/** The events that each instance carries in its own file. */
function readOwnEvents(sources: readonly InstanceSource[]): Resolvable<Disruption> {
  const events = new Map(sources.map(({ name, path }) => [name, readInstanceEvents(path)]));
  return {
    sha256: sha256(JSON.stringify([...events].sort(([a], [b]) => (a < b ? -1 : 1)))),
    resolve: ({ name }) => events.get(name) ?? [],
  };
}

function readWhatHappens(spec: string): Resolvable<Disruption> {
  if (SHORT_FORM.test(spec)) {
    const parameters = parseParameters(spec);
    return { sha256: sha256(JSON.stringify(parameters)), resolve: () => parameters };
  }
  const bytes = readBytes(spec);
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

function readRules(spec: string): Resolvable<RepairPolicy> {
  const found = loadPolicy(spec);
  if (!(found instanceof Uint8Array)) {
    return { sha256: sha256(JSON.stringify(found)), resolve: () => found };
  }
  const resolve = (instance: Instance) => parsePolicy(found, instance, spec);
  return { sha256: sha256(found), resolve };
}
