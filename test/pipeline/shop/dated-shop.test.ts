import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../packages/workflow/src/index.js';
import type { EventInput } from '../../../src/disruption/index.js';
import { replaceInstance } from '../../../src/jssp/instance.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { formatStory } from '../../../src/pipeline/shop/story-lines.js';
import { dispatch } from '../../../src/search/index.js';
import { ft10 } from './fixtures.js';

const plain = ft10().schedule.instance;
const dated = replaceInstance(plain, {
  timeScale: { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' },
});
const REPORTS: readonly (readonly [now: number, ...events: EventInput[]])[] = [
  [490, { kind: 'breakdown', machine: 3, from: 490, to: 600 }],
  [500, { kind: 'delay', job: 9, step: 9, until: 1200 }],
  [510, { kind: 'duration', job: 2, step: 9, duration: 75 }],
];

test('a shop with dates behaves like one without, and its story has days and hours', async () => {
  const store = createMemoryStore();
  const [shop, other] = await Promise.all([
    openShop({ store, runId: 'dated', schedule: dispatch(dated, { rule: 'mwkr' }) }),
    openShop({ store, runId: 'plain', schedule: dispatch(plain, { rule: 'mwkr' }) }),
  ]);
  for (const [now, ...events] of REPORTS) {
    for (const one of [shop, other]) await one.report(events, { now });
  }
  expect([...shop.schedule.start]).toEqual([...other.schedule.start]);
  const lines = formatStory(shop.story).join('\n');
  expect(lines).toContain('at Mon 23 Nov 14:10 machine 3 broke down until 16:00;');
  expect(lines).toContain('at Mon 23 Nov 14:20 job 10 step 10 is delayed until Tue 24 Nov 02:00');
  expect(lines).toContain('job 3 step 10 takes 1 h 15 min');
  expect(lines).not.toMatch(/\b(at|until) \d{3}/);
  expect(formatStory(other.story).join('\n')).toContain('at 490 machine 3 broke down until 600');
  await Promise.all([shop.close(), other.close()]);

  const again = await openShop({ store, runId: 'dated' });
  expect([...again.schedule.start]).toEqual([...shop.schedule.start]);
  expect(again.schedule.instance.timeScale).toEqual(dated.timeScale);
});
