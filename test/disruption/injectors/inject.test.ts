import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvents } from '../../../src/disruption/apply-events.js';
import type { DisruptionEvent } from '../../../src/disruption/event.js';
import { parseEvents, writeEvents } from '../../../src/disruption/events-json.js';
import { injectEvents } from '../../../src/disruption/injectors/inject.js';
import { type Severity, severities } from '../../../src/disruption/injectors/parameters.js';
import { lowerBound } from '../../../src/jssp/bounds.js';
import { generateTaillard } from '../../../src/jssp/generator.js';
import { replaceInstance } from '../../../src/jssp/instance.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { validate } from '../../../src/validator/validate.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { messageOf } from '../../jssp/formats/refusal.js';

const shop = generateTaillard({ jobs: 20, machines: 15, timeSeed: 1, machineSeed: 2 });
const reference = lowerBound(shop).value;
const names = Object.keys(severities) as Severity[];
const ofKind = <Kind extends DisruptionEvent['kind']>(kind: Kind, events: DisruptionEvent[]) =>
  events.filter((event): event is Extract<DisruptionEvent, { kind: Kind }> => event.kind === kind);

/** The events of many replicates together. */
const many = (severity: Severity, replicates = 40) =>
  Array.from({ length: replicates }, (_, seed) =>
    injectEvents({ instance: shop, severity, seed }),
  ).flat();

test('injected events are valid, refer to existing items, and are sorted', () => {
  fc.assert(
    fc.property(
      arbitraryInstance({ downtimes: true, releases: true }),
      fc.constantFrom(...names),
      fc.nat(),
      (instance, severity, seed) => {
        const events = injectEvents({ instance, severity, seed });
        const bytes = Buffer.from(writeEvents(events));
        expect(parseEvents(bytes, undefined, { instance }).events).toEqual(events);
        expect(events.every(({ at }, i) => i === 0 || events[i - 1].at <= at)).toBe(true);
        expect(injectEvents({ instance, severity, seed })).toEqual(events);
      },
    ),
    { numRuns: 300 },
  );
});

test('one kind of event is the same with the others and without them', () => {
  const all = injectEvents({ instance: shop, severity: 'heavy', seed: 3 });
  for (const key of ['breakdowns', 'durations', 'arrivals', 'delays'] as const) {
    const one = injectEvents({
      instance: shop,
      severity: { [key]: severities.heavy[key] },
      seed: 3,
    });
    expect(one.length).toBeGreaterThan(0);
    expect(all.filter(({ kind }) => kind === one[0].kind)).toEqual(one);
  }
  expect(injectEvents({ instance: shop, severity: {}, seed: 3 })).toEqual([]);
  expect(injectEvents({ instance: shop, severity: 'heavy', seed: 4 })).not.toEqual(all);
});

describe('over many replicates the numbers of a severity come out', () => {
  test.each(names)('%s', (severity) => {
    const { breakdowns, durations, arrivals, delays } = severities[severity];
    const events = many(severity);
    const downs = ofKind('breakdown', events);
    const downtime = downs.reduce((sum, { from, to = from }) => sum + to - from, 0) / downs.length;
    expect(downtime / reference / breakdowns.mttr).toBeCloseTo(1, 0);
    const share = downs.filter(({ resumable }) => resumable).length / downs.length;
    expect(share).toBeCloseTo(breakdowns.resumable, 1);
    // Up to twice the reference, a cycle of up and down time each.
    const cycles = (40 * shop.machines * 2) / (breakdowns.mtbf + breakdowns.mttr);
    expect(downs.length / cycles).toBeCloseTo(1, 0);

    const changed = ofKind('duration', events).length / (40 * shop.operations);
    expect(changed).toBeGreaterThan(0.8 * durations.rate);
    expect(changed).toBeLessThan(1.1 * durations.rate);

    expect(ofKind('arrival', events).length / (40 * shop.jobs)).toBeCloseTo(arrivals.rate, 1);
    for (const { job } of ofKind('arrival', events)) {
      const work = job.operations.reduce((sum, { duration }) => sum + duration, 0);
      expect(job.due).toBe(job.release + arrivals.tightness * work);
    }
    expect(ofKind('delay', events).length / (40 * shop.operations)).toBeCloseTo(delays.rate, 2);
  });

  test('lognormal and uniform durations keep the work about as it was', () => {
    for (const distribution of ['lognormal', 'uniform'] as const) {
      const durations = { rate: 1, distribution, spread: 0.3 };
      const events = injectEvents({ instance: shop, severity: { durations }, seed: 1 });
      let factors = 0;
      for (const { job, step, duration = 0 } of ofKind('duration', events)) {
        const factor = duration / shop.duration[shop.jobOffset[job] + step];
        factors += factor;
        if (distribution === 'uniform') expect(Math.abs(factor - 1)).toBeLessThan(0.8);
      }
      expect(factors / events.length).toBeCloseTo(1, 1);
    }
  });
});

test('most injected events meet a schedule in time, whatever its length', () => {
  for (const rule of ['mwkr', 'spt']) {
    let schedule = dispatch(shop, { rule });
    let applied = 0;
    let skipped = 0;
    for (const event of injectEvents({ instance: shop, severity: 'medium', seed: 5 })) {
      if (event.at > schedule.makespan) break;
      const next = applyEvents(schedule, [event], event.at, { tooLate: 'skip' });
      applied += next.events.length;
      skipped += next.skipped.length;
      schedule = dispatch(next.instance, { rule });
      expect(validate(next.instance, schedule).valid).toBe(true);
    }
    expect(applied).toBeGreaterThan(2 * skipped);
    expect(applied).toBeGreaterThan(20);
  }
});

test('an instance without work gets no events', () => {
  const idle = replaceInstance(shop, { duration: new Int32Array(shop.operations) });
  expect(injectEvents({ instance: idle, severity: 'heavy', seed: 1 })).toEqual([]);
});

test('unknown severities and parameters are refused', () => {
  const inject = (severity: unknown) => () =>
    injectEvents({ instance: shop, severity: severity as Severity, seed: 0 });
  expect(messageOf(inject('mild'))).toBe(
    'there is no severity mild; use one of light, medium, heavy',
  );
  expect(messageOf(inject({ delays: { rate: 2, mean: 1 } }))).toBe(
    '$.delays.rate: this is 2; give a share from 0 to 1',
  );
  expect(messageOf(inject({ breakdown: {} }))).toBe(
    '$: the key "breakdown" is unknown; give breakdowns, durations, arrivals, delays, absences, alternatives or some of them',
  );
  expect(
    messageOf(() => injectEvents({ instance: shop, severity: 'light', seed: 0, reference: -1 })),
  ).toBe('the reference is -1; give a makespan');
});

test('a job that arrives has the weight of the job that it is a copy of', () => {
  const weight = Int32Array.from({ length: shop.jobs }, (_, job) => 10 + job);
  const weighted = replaceInstance(shop, { weight });
  const severity = { arrivals: { rate: 1, tightness: 2 } };
  const arrivals = ofKind('arrival', injectEvents({ instance: weighted, severity, seed: 1 }));
  expect(arrivals.length).toBeGreaterThan(0);
  for (const { job } of arrivals) {
    const model = (job.weight ?? 0) - 10;
    const route = shop.machine.subarray(shop.jobOffset[model], shop.jobOffset[model + 1]);
    expect(job.operations.map(({ machine }) => machine)).toEqual(Array.from(route));
  }
});
