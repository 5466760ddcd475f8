// Due dates and downtimes for instances that have none, drawn from their names.
import { createRandom } from '@alas-jssp/core';
import { createCalendar } from 'alas-jssp/internal/lab';
import { type Instance, replaceInstance, withDueDates } from 'alas-jssp/jssp';

/** Due dates and downtimes; without any, as it is. */
export interface Conditions {
  tightness?: number | undefined;
  downtimes?: number | undefined;
  resumable?: 'none' | 'half';
}

/** Part of a machine's load within which downtimes begin. */
const SPAN = 1.5;

/**
 * The instance with due dates and weights, see `withDueDates`, and so many downtimes on every machine: evenly
 * scattered over one and a half times its load, each as long as one to three operations on average.
 */
export function withConditions(
  instance: Instance,
  { tightness, downtimes = 0, resumable = 'half' }: Conditions,
) {
  const dated = tightness === undefined ? instance : withDueDates(instance, tightness);
  if (downtimes === 0) return dated;
  const random = createRandom(`downtimes ${downtimes} ${instance.name}`);
  const { machines, operations, duration, machine } = instance;
  const load = new Float64Array(machines);
  duration.forEach((time, op) => {
    load[machine[op]] += time;
  });
  const mean = load.reduce((sum, each) => sum + each, 0) / operations;
  const all = Array.from(load, (each, k) => {
    let free = 0;
    return Array.from({ length: downtimes }, (_, i) => {
      const place = (SPAN * each * (i + random.next())) / downtimes;
      const from = Math.max(free, Math.round(place));
      const to = from + random.integer(Math.ceil(mean), Math.ceil(3 * mean));
      free = to + 1;
      return { machine: k, from, to, resumable: resumable === 'half' && random.next() < 0.5 };
    });
  });
  return replaceInstance(dated, { calendar: createCalendar(machines, all.flat()) });
}
