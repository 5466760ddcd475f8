import { expect, test } from 'vitest';
import { createInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { openLiveShop } from '../../../src/lcrp/live/shop.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { grow } from '../../../src/lcrp/phases/growth.js';
import { thenMakespan } from '../../../src/lcrp/phases/then-makespan.js';
import { repairWithinEdits } from '../../../src/lcrp/phases/within-edits.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { type RepairPolicy, withObjective } from '../../../src/lcrp/policy/policy.js';
import { singlePhaseResult } from '../../../src/lcrp/task.js';

/** Two jobs whose second operation, the last by number, does not wait for the first one, which ends the job. */
const instance = createInstance({
  name: 'graph',
  machines: 2,
  jobOffset: Int32Array.of(0, 2, 4),
  machine: Int32Array.of(0, 1, 0, 1),
  duration: Int32Array.of(10, 2, 10, 2),
  due: Int32Array.of(5, 15),
  precedence: {
    offset: new Int32Array(5),
    pred: new Int32Array(0),
    minLag: new Int32Array(0),
    maxLag: new Int32Array(0),
  },
});
const schedule = createSchedule(instance, Int32Array.of(0, 0, 10, 2));
const task = { instance, planned: schedule.start, now: 0, affected: Int32Array.of(0) };
const rules = withObjective(instance, policy('default', { limits: { mostEdited: 1 } }));
const context = { seed: 1 };
const refusal = /not_modelled|precedence|graph/;

test('phases that take the last step as the end of a job refuse precedence graphs by name', async () => {
  const made = singlePhaseResult(schedule, 'status');
  const settings = { planned: 0, value: 20 };
  const phases = [
    () => grow(task, schedule, rules, settings, context),
    () => thenMakespan(task, made, schedule, rules, context, () => made),
    () => repairWithinEdits(task, rules, context, (_: RepairPolicy) => made),
    () => compensate(task),
  ];
  for (const phase of phases) {
    const run = async () => phase();
    await expect(run()).rejects.toMatchObject({ code: 'not_modelled' });
    await expect(run()).rejects.toThrow(refusal);
  }
});

test('a shop with a graph is not repaired in place', () => {
  expect(openLiveShop(schedule)).toBeNull();
});
