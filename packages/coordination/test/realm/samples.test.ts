import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyEvent, readEvents } from '../../src/events/events.js';
import { readProblem } from '../../src/model/problem.js';
import { readRealm } from '../../src/realm/read-realm.js';

const shared = new URL('../../../../../shared/realm/', import.meta.url);
const readings = (set: string) =>
  readdirSync(new URL(`${set}/`, shared)).map((file) =>
    readRealm(JSON.parse(readFileSync(new URL(`${set}/${file}`, shared), 'utf8'))),
  );

describe.skipIf(!existsSync(new URL('P3/', shared)))('samples of REALM-Bench', () => {
  it.each(['P3', 'P4'])('of %s all become problems, with their events', (set) => {
    for (const { problem, events, refused } of readings(set)) {
      expect(refused).toEqual([]);
      const read = readProblem(problem);
      expect(events === null).toBe(set === 'P3');
      if (events !== null) readEvents(events).reduce(applyEvent, read);
    }
  });

  it('of P3 and P4 contradict themselves as the documentation says', () => {
    const count = new Map<string, number>();
    for (const { contradictions } of ['P3', 'P4'].flatMap(readings)) {
      for (const { code } of contradictions) count.set(code, (count.get(code) ?? 0) + 1);
    }
    expect(Object.fromEntries(count)).toEqual({
      reversed_window: 167,
      late_from_window_end: 42,
      roundabout_roads: 78,
    });
  });

  it('of P8 are refused, all for the same reasons', () => {
    const [first, ...others] = readings('P8').map(({ refused }) => refused);
    expect(first.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 3 }, () => 'place_without_travel'),
      ...Array.from({ length: 2 }, () => 'route_without_travel'),
      ...['errand_without_place', 'unsaid_goal'],
    ]);
    for (const other of others) expect(other).toEqual(first);
  });
});
