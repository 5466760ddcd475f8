import { expect, test } from 'vitest';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { createRepairEngine } from '../../../src/lcrp/engine.js';
import type { PolicyChanges } from '../../../src/lcrp/policy/policy.js';
import { isFeasible } from '../../../src/validator/index.js';

/** Two equal lathes and a mill; both orders are due long after their planned ends. */
function shop(parts: object) {
  const turned = [{ machine: 'Lathe 1' }, { machine: 'Lathe 2' }];
  return instanceFromJson(
    {
      schema: 'alas-jssp/instance@2',
      machines: ['Lathe 1', 'Lathe 2', 'Mill'],
      ...parts,
      jobs: ['first', 'second'].map((name) => ({
        name,
        due: 1000,
        operations: [
          { modes: turned.map((mode) => ({ ...mode, duration: 10 })) },
          { machine: 'Mill', duration: 5 },
        ],
      })),
    },
    { name: 'lathes' },
  );
}

const breakdown = { kind: 'breakdown', machine: 0, from: 10, to: 200, at: 10 } as const;

/** The repair after the lathe of both orders breaks down before the second one begins. */
async function repairOf(parts: object, policy: PolicyChanges = {}) {
  const plan = createSchedule(shop(parts), Int32Array.of(0, 10, 10, 20));
  const engine = createRepairEngine(plan, policy);
  return engine.handle([breakdown], 10);
}

for (const [name, parts] of Object.entries({
  alternatives: {},
  'alternatives and transport': { transport: [{ from: 'Lathe 1', to: 'Lathe 2', time: 2 }] },
})) {
  test(`an order that is not late goes to an idle machine all the same, in a shop with ${name}`, async () => {
    const { schedule } = await repairOf(parts);
    expect(isFeasible(schedule.instance, schedule.start)).toBe(true);
    expect(schedule.instance.machine[2]).toBe(1);
    expect(schedule.makespan).toBe(25);
  });

  test(`it waits if the policy does not break ties by the makespan, in a shop with ${name}`, async () => {
    const { schedule } = await repairOf(parts, { tieBreak: false });
    expect(schedule.instance.machine[2]).toBe(0);
    expect(schedule.start[2]).toBe(200);
  });
}
