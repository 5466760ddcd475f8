import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { arbitraryNamed } from '../../named-instances.js';
import { anyInstance } from './arbitraries.js';

const timeScale = { epoch: '2026-10-24T06:00:00+02:00', unit: 900, zone: 'Europe/Berlin' };

test('an instance with a clock survives JSON unchanged, and has no numbers for times there', () => {
  fc.assert(
    fc.property(arbitraryNamed(anyInstance), (plain) => {
      const instance = replaceInstance(plain, { timeScale });
      const text = writeInstanceJson(instance);
      expect(parseInstance(text, { name: instance.name })).toEqual(instance);
      expect(text).not.toMatch(/"(release|due|deadline|frozen|from|to)":\d/);
    }),
  );
});

describe('a document with a time scale', () => {
  const read = (job: object, scale: object = timeScale, downtimes: object[] = []) =>
    parseInstance(
      JSON.stringify({
        schema: 'alas-jssp/instance@1',
        machines: 1,
        time_scale: scale,
        jobs: [{ ...job, operations: [{ machine: 0, duration: 1, ...job }] }],
        downtimes,
      }),
      { file: 'shop.json' },
    );
  const readDue = (due: unknown, scale?: object) =>
    parseInstance(
      JSON.stringify({
        schema: 'alas-jssp/instance@1',
        machines: 1,
        time_scale: scale ?? timeScale,
        jobs: [{ due, operations: [{ machine: 0, duration: 1 }] }],
      }),
      { file: 'shop.json' },
    );

  it('has times as numbers or in ISO 8601, with an offset or by the clocks of the zone', () => {
    expect(readDue(8).due).toEqual(Int32Array.of(8));
    expect(readDue('2026-10-24T08:00').due).toEqual(Int32Array.of(8));
    expect(readDue('2026-10-24T06:00Z').due).toEqual(Int32Array.of(8));
    const release = '2026-10-25T02:30';
    expect(read({ release }).release).toEqual(Int32Array.of(82));
    const down = { machine: 0, from: release, to: '2026-10-25T02:30+01:00', resumable: true };
    const { calendar } = read({}, timeScale, [down]);
    expect([calendar?.from, calendar?.to]).toEqual([Int32Array.of(82), Int32Array.of(86)]);
  });

  it('may have its epoch by the clocks of the zone', () => {
    const local = { ...timeScale, epoch: '2026-10-24T06:00' };
    expect(readDue(8, local).timeScale).toEqual(timeScale);
  });

  it.each([
    ['2026-10-24', timeScale, '$.jobs[0].due: "2026-10-24" is no time; give day and hour'],
    ['2026-10-23T08:00', timeScale, '$.jobs[0].due: "2026-10-23T08:00" is before the epoch; give'],
    ['2026-10-24T08:01', timeScale, '$.jobs[0].due: "2026-10-24T08:01" is between two units'],
    [1.5, timeScale, '$.jobs[0].due: this is 1.5; give a whole number'],
    [1, { ...timeScale, zone: 'Mars/Base' }, '$.time_scale: the time zone is "Mars/Base"; give'],
    [1, { ...timeScale, epoch: 'now' }, '$.time_scale: "now" is no time; give'],
    [1, { ...timeScale, start: 1 }, '$.time_scale: the key "start" is unknown'],
  ])('is refused for the due date %j with the scale %j', (due, scale, problem) => {
    expect(() => readDue(due, scale)).toThrow(`shop.json:${problem}`);
  });
});

test('a time in ISO 8601 needs a time scale', () => {
  const instance = replaceInstance(instanceFromJobs('plain', [[[0, 1]]]), {
    due: Int32Array.of(1),
  });
  const text = writeInstanceJson(instance).replace('"due":1', '"due":"2026-10-24T08:00"');
  expect(() => parseInstance(text)).toThrow(
    '$.jobs[0].due: this is "2026-10-24T08:00"; give a whole',
  );
});
