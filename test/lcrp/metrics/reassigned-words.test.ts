import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../packages/workflow/src/index.js';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { german } from '../../../src/jssp/sentences/german.js';
import { repair } from '../../../src/lcrp/engine.js';
import { explainEdit, explainMove } from '../../../src/lcrp/metrics/edit-words.js';
import { explainRepair } from '../../../src/lcrp/metrics/explain.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { formatStory } from '../../../src/pipeline/shop/story-lines.js';

/** Two jobs on one of two lathes, each with Ana or Ben. */
const instance = instanceFromJson(
  {
    schema: 'alas-jssp/instance@2',
    machines: ['Lathe 1', 'Lathe 2'],
    resources: [{ name: 'Ana' }, { name: 'Ben' }],
    jobs: ['A', 'B'].map((name) => ({
      name,
      operations: [
        {
          modes: [
            { machine: 'Lathe 1', duration: 5, needs: { Ana: 1 } },
            { machine: 'Lathe 1', duration: 5, needs: { Ben: 1 } },
            { machine: 'Lathe 2', duration: 5, needs: { Ana: 1 } },
            { machine: 'Lathe 2', duration: 20, needs: { Ben: 1 } },
          ],
        },
      ],
    })),
  },
  { name: 'lathes' },
);
/** Both on Lathe 1, with Ana. */
const plan = createSchedule(instance, Int32Array.of(0, 5));

test('a change of operator is named, with the machine if that changes, too', async () => {
  const sentencesOf = async (event: Parameters<typeof repair>[0]['events'][number]) => {
    const result = await repair({ schedule: plan, events: [event], now: 1 });
    return explainRepair(result).map((edit) => explainEdit(edit, result));
  };
  const ana = { kind: 'capacity', resource: 0, from: 5, to: 40, amount: 0 } as const;
  expect(await sentencesOf(ana)).toEqual([
    expect.stringMatching(
      /^B, step 1 moves from Ana to Ben, at 5: Ben can do it; Ana is not there/,
    ),
  ]);
  const lathe = { kind: 'breakdown', machine: 0, from: 5, to: 40 } as const;
  expect(await sentencesOf(lathe)).toEqual([
    expect.stringMatching(/^B, step 1 moves from Lathe 1 to Lathe 2, at 5: Lathe 2 has room/),
  ]);
  const both = await repair({ schedule: plan, events: [ana, lathe], now: 1 });
  const [edit] = explainRepair(both);
  expect(explainEdit(edit, both)).toMatch(
    /^B, step 1 moves from Lathe 1 \(Ana\) to Lathe 2 \(Ben\), at /,
  );
  const { schedule } = both;
  const move = { was: 5, now: 1, why: 'weil', fromMode: 4 };
  expect(explainMove(schedule, 1, move, german)).toContain(
    'wechselt von Lathe 1 (Ana) auf Lathe 2 (Ben)',
  );
});

test('an undo that was not accepted is a wish in the story, and changes name operators', async () => {
  const policy = { approval: { seconds: 3600, otherwise: 'approve' as const } };
  const store = createMemoryStore();
  const shop = await openShop({ store, schedule: plan, embed: true, policy });
  const ana = { kind: 'capacity', resource: 0, from: 5, to: 40, amount: 0 } as const;
  await shop.report([ana], { now: 1 });
  await shop.approve('kim');
  expect(shop.version).toBe(2);
  expect(shop.changesSince(1)).toMatchObject([
    { job: 1, step: 0, machine: 0, was: 5, start: 5, wasNeeds: ['Ana'], needs: ['Ben'] },
  ]);
  await shop.undo(1, { now: 2, by: 'lee' });
  const waiting = formatStory(shop.story).join('\n');
  expect(waiting).toContain('lee wanted to go back to version 1');
  await shop.decline('kim', 'no');
  const declined = formatStory(shop.story).join('\n');
  expect(declined).toContain('lee wanted to go back to version 1');
  expect(declined).toContain('not accepted');
  expect(declined).not.toContain('lee went back');
  await shop.close();
});
