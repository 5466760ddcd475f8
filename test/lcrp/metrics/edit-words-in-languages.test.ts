import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyEvents, type EventInput } from '../../../src/disruption/index.js';
import { createInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { english } from '../../../src/jssp/sentences/english.js';
import { german } from '../../../src/jssp/sentences/german.js';
import { explainMove, reasonOfEdit } from '../../../src/lcrp/metrics/edit-words.js';
import type { Cause } from '../../../src/lcrp/metrics/explain.js';

const CAUSES = Object.keys({
  event: 1,
  job: 1,
  machine: 1,
  reassigned: 1,
  place: 1,
  earlier: 1,
  limit: 1,
  later: 1,
} satisfies Record<Cause, 1>) as Cause[];

/** One event of each kind for a shop of two jobs on two machines, at 5. */
const EVENTS: Record<string, EventInput> = {
  breakdown: { kind: 'breakdown', machine: 0, from: 5, to: 25 },
  later: { kind: 'breakdown', machine: 1, from: 15, to: 25 },
  duration: { kind: 'duration', job: 0, step: 1, duration: 17 },
  factor: { kind: 'duration', job: 1, step: 1, factor: 1.5 },
  arrival: { kind: 'arrival', job: { operations: [{ machine: 0, duration: 3 }] } },
  cancellation: { kind: 'cancellation', job: 1 },
  delay: { kind: 'delay', job: 1, step: 1, until: 70 },
};

const timeScale = { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' };
const names = { jobs: ['A-1', 'A-2'], operations: null, machines: ['Kran', 'Ofen'] };
const ENGLISH_WORDS = /\b(it|is|the|job|machine|step|waits|starts|until|has|of|with)\b/;

it('every cause of a move under every kind of event has a sentence in each language, of its own words', () => {
  const shops = fc.record({ hasClock: fc.boolean(), hasNames: fc.boolean() });
  const cases = fc.record({
    cause: fc.constantFrom(...CAUSES),
    event: fc.constantFrom(...Object.keys(EVENTS)),
    hasEvent: fc.boolean(),
    was: fc.constantFrom(-1, 0, 20, 60),
  });
  fc.assert(
    fc.property(shops, cases, ({ hasClock, hasNames }, { cause, event, hasEvent, was }) => {
      const instance = createInstance({
        ...{ name: 'two', machines: 2 },
        jobOffset: Int32Array.of(0, 2, 4),
        machine: Int32Array.of(0, 1, 0, 1),
        duration: Int32Array.of(10, 10, 10, 10),
        ...(hasClock && { timeScale }),
        ...(hasNames && { names }),
      });
      const schedule = createSchedule(instance, Int32Array.from([0, 10, 10, 30]));
      const applied = applyEvents(schedule, [EVENTS[event]], 5);
      const edit = {
        ...{ operation: 1, cause },
        waitsFor: cause === 'job' ? 0 : cause === 'machine' ? 3 : null,
        event: hasEvent || cause === 'event' ? 0 : null,
      };
      const [en, de] = [english, german].map((sentences) => {
        const why = reasonOfEdit(edit, { applied, schedule }, sentences);
        return explainMove(schedule, 1, { was, now: 5, why }, sentences);
      });
      for (const text of [en, de]) expect(text).not.toMatch(/undefined|NaN|null|: $|\[object/);
      expect(en).toMatch(ENGLISH_WORDS);
      expect(de).not.toMatch(ENGLISH_WORDS);
    }),
  );
});
