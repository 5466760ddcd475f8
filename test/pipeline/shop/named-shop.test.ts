import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../packages/workflow/src/index.js';
import type { EventInput } from '../../../src/disruption/index.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { formatStory } from '../../../src/pipeline/shop/story-lines.js';
import { dispatch } from '../../../src/search/index.js';
import { nameAll } from '../../named-instances.js';
import { ft10 } from './fixtures.js';

const plain = ft10().schedule.instance;
const named = nameAll(plain);

const RUSH: EventInput = {
  kind: 'arrival',
  job: {
    name: 'RUSH-1',
    operations: [{ name: 'grinding', machine: 2, duration: 30 }],
    release: 120,
  },
};
const REPORTS: readonly (readonly [now: number, ...events: EventInput[]])[] = [
  [
    100,
    { kind: 'breakdown', machine: 3, from: 100, to: 200 },
    { kind: 'breakdown', machine: 1, from: 100, to: 200 },
  ],
  [120, RUSH, { kind: 'delay', job: 10, step: 0, until: 150 }],
  [
    130,
    { kind: 'duration', job: 10, step: 0, duration: 40 },
    { kind: 'duration', job: 2, step: 9, factor: 2 },
  ],
];

test('a shop with names behaves like one without, and its story has the names', async () => {
  const store = createMemoryStore();
  const [shop, other] = await Promise.all([
    openShop({ store, runId: 'named', schedule: dispatch(named, { rule: 'mwkr' }) }),
    openShop({ store, runId: 'plain', schedule: dispatch(plain, { rule: 'mwkr' }) }),
  ]);
  for (const [now, ...events] of REPORTS) {
    for (const one of [shop, other]) await one.report(events, { now });
  }
  expect([...shop.schedule.start]).toEqual([...other.schedule.start]);
  expect(shop.schedule.instance.names?.jobs?.at(-1)).toBe('RUSH-1');
  expect(other.schedule.instance.names).toBeNull();
  const lines = formatStory(shop.story).join('\n');
  expect(lines).toContain('at 100 Lathe D and Lathe B broke down until 200');
  expect(lines).toContain(
    'the job RUSH-1 arrived with 1 operation, RUSH-1, grinding is delayed until 150',
  );
  expect(lines).toContain('RUSH-1, grinding takes 40, WO-4713, turning j takes 2 times as long');
  expect(formatStory(other.story).join('\n')).toContain(
    'at 100 machines 3 and 1 broke down until 200',
  );
  const entries = JSON.stringify([...store.read({ runId: 'named' })]);
  expect(entries.includes('"job":"RUSH-1","kind":"delay","step":"grinding"')).toBe(true);
  expect(entries.includes('Job11')).toBe(false);
  await Promise.all([shop.close(), other.close()]);

  // What the log says is understood again.
  const again = await openShop({ store, runId: 'named' });
  expect([...again.schedule.start]).toEqual([...shop.schedule.start]);
  expect(again.schedule.instance.names).toEqual(shop.schedule.instance.names);
});
