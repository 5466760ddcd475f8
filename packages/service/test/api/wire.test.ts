import { expect, it } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../../src/jssp/instance.js';
import { dispatch } from '../../../../src/search/construct/dispatch.js';
import { readWireEvents, readWireJob, readWireTime, wireOperation } from '../../src/api/wire.js';

const plain = instanceFromJobs('shop', [
  [
    [0, 30],
    [1, 10],
    [0, 20],
  ],
]);
const shop = replaceInstance(plain, {
  names: { jobs: ['WO-1'], machines: ['Lathe', ''], operations: ['turning', '', 'turning'] },
  timeScale: { epoch: '2026-10-25T00:00:00+02:00', unit: 60, zone: 'Europe/Berlin' },
});

it('goes out by the names and the clock of the shop, and by numbers where it has none', () => {
  const schedule = dispatch(shop, { rule: 'mwkr' });
  expect(wireOperation(schedule, 2)).toEqual({
    ...{ job: 'WO-1', step: 3, operation: 'turning (2)', machine: 'Lathe' },
    start: '2026-10-25T00:40:00+02:00',
    end: '2026-10-25T01:00:00+02:00',
  });
  expect(wireOperation(schedule, 1)).toMatchObject({ step: 2, machine: 'Machine1' });
  expect(wireOperation(dispatch(plain, { rule: 'mwkr' }), 2)).toEqual({
    ...{ job: 'Job1', step: 3, machine: 'Machine0', start: 40, end: 60 },
  });
});

it('comes in by names, numbers and dates; of the hour that comes twice the offset decides', () => {
  expect([readWireJob(shop, 'WO-1'), readWireJob(shop, 'Job1')]).toEqual([0, 0]);
  expect(() => readWireJob(shop, 'WO-2', ['job'])).toThrow('there is no job "WO-2"');
  const times = ['2026-10-25T02:30', '2026-10-25T02:30+01:00', 7];
  expect(times.map((time) => readWireTime(shop.timeScale, time))).toEqual([150, 210, 7]);
  const late = (step: unknown) =>
    readWireEvents(shop, [{ kind: 'delay', job: 'WO-1', step, until: '2026-10-25T04:00' }], 9);
  expect(late('turning (2)')).toMatchObject([{ job: 0, step: 2, until: 300 }]);
  expect(() => late('turning')).toThrow(/"turning", of which there are 2; say which/);
});
