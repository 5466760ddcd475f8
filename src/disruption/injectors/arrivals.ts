import { exponential } from '@alas-jssp/core/distributions';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import type { Arrival } from '../event.js';
import type { ArrivalParameters } from './parameters.js';

/**
 * Jobs that arrive as a Poisson process within the reference makespan. Each is a copy of a job of the instance (route,
 * durations and weight), released when it becomes known, with a due date.
 */
export function injectArrivals(
  instance: Instance,
  reference: number,
  { rate, tightness }: ArrivalParameters,
  seed: number,
): Arrival[] {
  const { jobs, jobOffset, machine, duration, weight } = instance;
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
    const operations: { machine: number; duration: number }[] = [];
    let work = 0;
    for (let op = jobOffset[model]; op < jobOffset[model + 1]; op++) {
      operations.push({ machine: machine[op], duration: duration[op] });
      work += duration[op];
    }
    const due = Math.min(MAX_TIME, at + Math.ceil(tightness * work));
    const name = `rush${arrivals.length + 1}`;
    const cost = weight === null ? {} : { weight: weight[model] };
    arrivals.push({ kind: 'arrival', at, job: { name, operations, release: at, due, ...cost } });
  }
  return arrivals;
}
