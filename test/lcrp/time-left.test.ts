import { expect, test } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { totalWeightedTardiness } from '../../src/jssp/objectives.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { repair } from '../../src/lcrp/engine.js';
import type { PolicyChanges } from '../../src/lcrp/policy/policy.js';

/**
 * Job 2, which is due at 18, comes after job 1 on one machine. The machine is down from 6 to 10: job 2 has room
 * before that, and job 1 has not.
 */
const shop = replaceInstance(instanceFromJobs('late', [[[0, 10]], [[0, 5]]]), {
  due: Int32Array.of(-1, 18),
});
const disturbed = {
  schedule: createSchedule(shop, Int32Array.of(0, 10)),
  events: [{ kind: 'breakdown', machine: 0, from: 6, to: 10, resumable: false }] as const,
  now: 0,
};

/** Nothing but what the event hits may move: local repair cannot put job 2 first. */
const local = {
  objective: 'total-weighted-tardiness',
  radius: { first: 0, most: 0 },
} as const satisfies PolicyChanges;

async function latenessWith(changes: PolicyChanges): Promise<number> {
  const { schedule } = await repair(disturbed, { ...local, ...changes });
  return totalWeightedTardiness(schedule);
}

test('a repair whose budget is time searches everything free in the time left, where tardiness counts', async () => {
  expect(await latenessWith({})).toBe(7);
  // The search ends at once: nothing is less late than 0.
  expect(await latenessWith({ budget: { seconds: 60 } })).toBe(0);
});

test('limits, a bound on moves and a value that is good enough leave the time unused', async () => {
  const seconds = 60;
  expect(await latenessWith({ budget: { seconds, evaluations: 100 } })).toBe(7);
  expect(await latenessWith({ budget: { seconds, target: 7 } })).toBe(7);
  expect(await latenessWith({ budget: { seconds }, limits: { mostChanged: 1 } })).toBe(7);
});
