import { createHeaps } from '@alas-jssp/core/heaps';
import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { advance, openFrontier } from './frontier.js';
import { createRuleQueues } from './ready-queues.js';
import type { Priority } from './rules/rule.js';

/**
 * Generates a non-delay schedule: no machine stays idle while an operation waits that it could start. Advances from
 * event to event; at each, every free machine starts the first operation of its queue. O(N log n), not counting
 * downtimes.
 *
 * Baker 1974, Introduction to Sequencing and Scheduling, chapter 7.
 *
 * @returns N start times
 * @throws AlasError `frozen_after_free` as {@link openFrontier} does
 */
export function generateNonDelay(instance: Instance, priority: Priority): Int32Array {
  const { jobs, machines, machine, duration, calendar } = instance;
  const frontier = openFrontier(instance);
  const { start, next, ready, machineFree } = frontier;
  const frozenUntil = machineFree.slice();
  const queues = createRuleQueues(instance, priority);
  // At most one event per job: its operation is done or, without a start yet, joins the queue.
  const eventTime = new Float64Array(jobs);
  const events = createHeaps(Int32Array.of(0, jobs), eventTime);
  const touched = new Int32Array(machines);
  const isTouched = new Uint8Array(machines);
  let count = 0;

  const touch = (k: number): void => {
    if (isTouched[k] === 0) touched[count++] = k;
    isTouched[k] = 1;
  };

  const startFirst = (k: number, now: number): void => {
    while (queues.size[k] > 0) {
      const job = queues.pop(k, now);
      const op = next[job];
      eventTime[job] = calendar === null ? now : earliestStart(instance, op, now);
      const stopped = eventTime[job] > now;
      if (!stopped) {
        const end = calendar === null ? now + duration[op] : completionTime(instance, op, now);
        start[op] = now;
        machineFree[k] = end;
        eventTime[job] = end;
      }
      events.push(0, job);
      if (!stopped) return;
    }
  };

  for (let job = 0; job < jobs; job++) {
    if (!advance(frontier, job, ready[job])) continue;
    eventTime[job] = Math.max(ready[job], frozenUntil[machine[next[job]]]);
    events.push(0, job);
  }
  while (events.size[0] > 0) {
    const now = eventTime[events.top(0)];
    count = 0;
    while (events.size[0] > 0 && eventTime[events.top(0)] === now) {
      const job = events.pop(0);
      if (start[next[job]] >= 0) {
        touch(machine[next[job]++]);
        if (!advance(frontier, job, now)) continue;
        eventTime[job] = Math.max(ready[job], frozenUntil[machine[next[job]]]);
        if (eventTime[job] > now) {
          events.push(0, job);
          continue;
        }
      }
      queues.push(job, next[job], ready[job]);
      touch(machine[next[job]]);
    }
    for (let i = 0; i < count; i++) {
      isTouched[touched[i]] = 0;
      if (machineFree[touched[i]] <= now) startFirst(touched[i], now);
    }
  }
  return start;
}
