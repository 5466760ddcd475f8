import {
  jobLengthBound,
  lowerBound,
  machineHeadTailBound,
  machineLoadBound,
  machineLoads,
  preemptiveBound,
} from '../../jssp/bounds.js';
import { instanceChecksum } from '../../jssp/checksum.js';
import type { Instance } from '../../jssp/instance.js';
import { modeCount } from '../../jssp/shop-parts.js';
import { spreadLoads } from '../../jssp/spread-loads.js';
import { knownByChecksum, resolveSource } from '../../jssp/suites.js';
import { tardinessBound } from '../../jssp/tardiness-bounds.js';
import { constraintsOf } from '../../jssp/words.js';

/** The facts of an instance that `show` prints. */
export type InstanceFacts = ReturnType<typeof gatherFacts>;

/** Gathers the size, the bounds and the machine loads of an instance. */
export function gatherFacts(spec: string) {
  const source = resolveSource(spec);
  const instance = source.load();
  const sha256 = instanceChecksum(instance);
  const benchmark = knownByChecksum(sha256);
  const known = benchmark?.bounds ?? null;
  const loads = machineLoads(instance);
  const spread = instance.modes && spreadLoads(instance);
  const busiest = loads.reduce((most, load) => Math.max(most, load), 1);
  return {
    schema: 'alas-jssp/instance-facts@1',
    instance: source.name,
    suite: source.suite,
    jobs: instance.jobs,
    machines: instance.machines,
    operations: instance.operations,
    ...(instance.modes && { modes: modeCount(instance) }),
    sha256,
    benchmark: benchmark?.name ?? null,
    total_work: loads.reduce((sum, load) => sum + load, 0),
    job_length: range(jobLengths(instance)),
    duration: range(instance.duration),
    constraints: constraintsOf(instance),
    ...(instance.timeScale && { time_scale: instance.timeScale }),
    best_known: known && { lower_bound: known.lower, upper_bound: known.upper, as_of: known.asOf },
    lower_bounds: {
      best: lowerBound(instance).value,
      job_length: jobLengthBound(instance),
      machine_load: machineLoadBound(instance),
      machine_heads_and_tails: machineHeadTailBound(instance),
      one_machine_preemptive: preemptiveBound(instance),
    },
    ...partsOf(instance),
    tardiness_lower_bound: instance.due && tardinessBound(instance).value,
    machine_loads: Array.from(loads, (load, machine) => ({
      machine,
      ...(instance.names?.machines?.[machine] && { name: instance.names.machines[machine] }),
      operations: instance.machineOffset[machine + 1] - instance.machineOffset[machine],
      load,
      ...(spread && { spread: spread[machine] }),
      share_percent: (100 * load) / busiest,
    })),
  };
}

/** Families and resources, where there are any. */
function partsOf({ setups, resources }: Instance) {
  return {
    ...(setups && {
      setups: {
        families: setups.families,
        machines: setups.matrixOf.filter((matrix) => matrix >= 0).length,
        longest: setups.time.reduce((most, time) => Math.max(most, time), 0),
      },
    }),
    ...(resources && {
      resources: Array.from(
        resources.capacity,
        (capacity, i) => `${resources.names?.[i] ?? `resource ${i + 1}`}: ${capacity}`,
      ),
    }),
  };
}

function jobLengths({ jobOffset }: Instance): Int32Array {
  return jobOffset.slice(1).map((offset, job) => offset - jobOffset[job]);
}

function range(values: Int32Array): string {
  if (values.length === 0) return 'none';
  const sorted = values.toSorted();
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  return least === most ? String(least) : `${least} to ${most}`;
}
