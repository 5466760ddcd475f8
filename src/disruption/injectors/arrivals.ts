import { exponential } from '@alas-jssp/core/distributions';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import {
  chosenMode,
  modeDuration,
  modeMachine,
  modesOf,
  SETUP_PHASE,
} from '../../jssp/shop-parts.js';
import type { Arrival, ArrivingMode, ArrivingOperation } from '../arriving.js';
import type { ArrivalParameters } from './parameters.js';

/**
 * Jobs that arrive as a Poisson process within the reference makespan. Each is a copy of a job of the instance (modes,
 * needs, families and weight, as a chain of operations), released when it becomes known, with a due date.
 */
export function injectArrivals(
  instance: Instance,
  reference: number,
  { rate, tightness }: ArrivalParameters,
  seed: number,
): Arrival[] {
  const { jobs, jobOffset, duration, weight } = instance;
  const models = Array.from({ length: jobs }, (_, job) => job).filter(
    (job) => jobOffset[job] < jobOffset[job + 1],
  );
  const arrivals: Arrival[] = [];
  if (models.length === 0) return arrivals;
  const random = createRandom(deriveSeed(seed, 'arrival'));
  const gap = reference / (rate * jobs);
  for (let time = exponential(random, gap); time < reference; time += exponential(random, gap)) {
    const model = models[random.integer(0, models.length - 1)];
    const at = Math.floor(time);
    const operations: ArrivingOperation[] = [];
    let work = 0;
    for (let op = jobOffset[model]; op < jobOffset[model + 1]; op++) {
      operations.push(copyOf(instance, op));
      work += duration[op];
    }
    const due = Math.min(MAX_TIME, at + Math.ceil(tightness * work));
    const name = `rush${arrivals.length + 1}`;
    const cost = weight === null ? {} : { weight: weight[model] };
    arrivals.push({ kind: 'arrival', at, job: { name, operations, release: at, due, ...cost } });
  }
  return arrivals;
}

/** An operation that arrives, like one of the instance. */
function copyOf(instance: Instance, op: number): ArrivingOperation {
  const { setups } = instance;
  const chosen = chosenMode(instance, op);
  const [first, stop] = modesOf(instance, op);
  const alternatives: ArrivingMode[] = [];
  for (let mode = first; mode < stop; mode++) {
    if (mode !== chosen) alternatives.push(arrivingMode(instance, mode));
  }
  return {
    ...arrivingMode(instance, chosen),
    ...(alternatives.length > 0 && { alternatives }),
    ...(setups !== null && { family: setups.family[op] }),
  };
}

function arrivingMode(instance: Instance, mode: number): ArrivingMode {
  const common = { machine: modeMachine(instance, mode), duration: modeDuration(instance, mode) };
  const { resources } = instance;
  if (resources === null) return common;
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const needs = Array.from({ length: needOffset[mode + 1] - needOffset[mode] }, (_, i) => {
    const at = needOffset[mode] + i;
    const during = needPhase[at] === SETUP_PHASE ? { during: 'setup' as const } : {};
    return { resource: needResource[at], amount: needAmount[at], ...during };
  });
  return needs.length === 0 ? common : { ...common, needs };
}
