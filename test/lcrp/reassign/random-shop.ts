import { createRandom, type Random } from '@alas-jssp/core/random';
import type { EventInput } from '../../../src/disruption/index.js';
import { generateFlexible } from '../../../src/jssp/flexible-generator.js';
import { withDueDates } from '../../../src/jssp/generator.js';
import { type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule, type Schedule } from '../../../src/jssp/schedule.js';
import { shiftParts } from '../../../src/lcrp/reassign/shift-parts.js';
import { eventsFor } from '../../disruption/arbitraries.js';

/** A small random shop: each part of a shop is there or not, one by one. */
export function randomShop(seed: number, plain: boolean): Instance {
  const random = createRandom(seed);
  const some = (most: number) => (random.next() < 0.5 ? random.integer(1, most) : 0);
  const parts = plain
    ? {}
    : {
        families: some(3),
        maxTransport: some(8),
        operators: some(3),
        assembly: random.next() < 0.5 ? random.next() : 0,
        minLag: some(5),
        ...(random.next() < 0.3 ? { maxLag: random.integer(0, 20) } : {}),
        attendedSetups: random.next() < 0.5,
      };
  const jobs = random.integer(2, 5);
  const machines = random.integer(2, 4);
  const shop = generateFlexible({
    jobs,
    machines,
    seed,
    minDuration: 1,
    maxDuration: 20,
    flexibility: random.integer(1, 3) > machines ? 1 : random.integer(1, Math.min(3, machines)),
    maxSetup: 6,
    ...parts,
  } as Parameters<typeof generateFlexible>[0]);
  const due = random.next() < 0.4 ? withDueDates(shop, 1.3) : shop;
  return random.next() < 0.2
    ? replaceInstance(due, { deadline: new Int32Array(jobs).fill(random.integer(60, 200)) })
    : due;
}

/** A feasible schedule of a shop in which nothing has started. */
export function anySchedule(instance: Instance): Schedule {
  const planned = new Int32Array(instance.operations).fill(-1);
  return shiftParts({ instance, planned, now: 0, affected: new Int32Array() });
}

/** Events of every kind about what there is, of which some come too late. */
export function randomEvents(schedule: Schedule, now: number, random: Random): EventInput[] {
  const { instance } = schedule;
  const { setups, resources, machines, jobs, jobOffset } = instance;
  const numbers = () => Array.from({ length: 6 }, () => random.integer(0, 1000));
  const events = eventsFor(
    createSchedule(instance, schedule.start),
    now,
    Array.from({ length: random.integer(0, 2) }, numbers),
  ).map((event): EventInput => {
    if (event.kind !== 'arrival' || typeof event.job !== 'object') return event;
    const operations = event.job.operations.map((one) => ({
      ...one,
      ...(setups === null ? {} : { family: random.integer(0, setups.families - 1) }),
      ...(random.next() < 0.5
        ? { alternatives: [{ machine: random.integer(0, machines - 1), duration: 7 }] }
        : {}),
      ...(resources !== null && random.next() < 0.5
        ? { needs: [{ resource: random.integer(0, resources.count - 1) }] }
        : {}),
    }));
    return { ...event, job: { ...event.job, operations } } as EventInput;
  });
  if (resources !== null && random.next() < 0.5) {
    const resource = random.integer(0, resources.count - 1);
    const from = now + random.integer(0, 10);
    const to = random.next() < 0.3 ? {} : { to: from + random.integer(1, 25) };
    const amount = random.integer(0, resources.capacity[resource]);
    events.push({ kind: 'capacity', resource, from, ...to, amount });
  }
  const job = random.integer(0, jobs - 1);
  const steps = jobOffset[job + 1] - jobOffset[job];
  if (steps > 0 && random.next() < 0.3) {
    const machine = random.integer(0, machines - 1);
    const step = random.integer(0, steps - 1);
    events.push({ kind: 'alternative', job, step, machine, duration: random.integer(1, 20) });
  }
  return events;
}
