import { expect, test } from 'vitest';
import { parseEvents, writeEvents } from '../../../src/disruption/events-json.js';
import { injectEvents } from '../../../src/disruption/injectors/inject.js';
import { generateFlexible } from '../../../src/jssp/flexible-generator.js';
import { generateTaillard } from '../../../src/jssp/generator.js';
import { type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { modeMachine, modesOf } from '../../../src/jssp/shop-parts.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { simulate } from '../../../src/lcrp/simulation/simulate.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';

const everything = {
  absences: { mtbf: 0.5, mttr: 0.2 },
  alternatives: { rate: 0.4, factor: 1.3 },
  arrivals: { rate: 0.3, tightness: 3 },
  breakdowns: { mtbf: 2, mttr: 0.1, resumable: 0.5 },
};

/** A shop with alternatives, setups, operators and graphs. */
function shopOf(seed: number): Instance {
  return generateFlexible({
    ...{ jobs: 6, machines: 4, seed, minDuration: 2, maxDuration: 20, flexibility: 2 },
    ...{ families: 3, maxSetup: 5, operators: 3, maxTransport: 4, assembly: 0.5 },
  });
}

const ofKind = (instance: Instance, kind: string, seed: number) =>
  injectEvents({ instance, severity: everything, seed }).filter((event) => event.kind === kind);

test('events of shops with alternatives, setups and operators are valid', () => {
  const kinds = new Set<string>();
  for (let seed = 0; seed < 20; seed++) {
    const instance = shopOf(seed);
    const events = injectEvents({ instance, severity: everything, seed });
    for (const { kind } of events) kinds.add(kind);
    const bytes = Buffer.from(writeEvents(events));
    expect(parseEvents(bytes, undefined, { instance }).events).toEqual(events);
    for (const event of events) {
      if (event.kind !== 'alternative') continue;
      const op = instance.jobOffset[event.job] + event.step;
      const [first, stop] = modesOf(instance, op);
      for (let mode = first; mode < stop; mode++) {
        expect(modeMachine(instance, mode)).not.toBe(event.machine);
      }
      expect(event.duration).toBe(Math.round(instance.duration[op] * 1.3));
    }
  }
  expect([...kinds].sort()).toEqual(['alternative', 'arrival', 'breakdown', 'capacity']);
});

test('an absence takes one away from what is planned for that time, and none where none are there', () => {
  const shop = shopOf(1);
  const { resources } = shop;
  if (resources === null) throw new Error('the shop has operators');
  const night = { from: 30, to: 60 };
  const instance = replaceInstance(shop, {
    resources: {
      ...resources,
      capacity: new Int32Array(resources.count).fill(3),
      calendar: {
        offset: Int32Array.from({ length: resources.count + 1 }, (_, r) => r),
        from: new Int32Array(resources.count).fill(night.from),
        to: new Int32Array(resources.count).fill(night.to),
        amount: new Int32Array(resources.count).fill(1),
      },
    },
  });
  const amounts = new Map<string, Set<number>>();
  for (let seed = 0; seed < 40; seed++) {
    for (const event of ofKind(instance, 'capacity', seed)) {
      if (event.kind !== 'capacity') continue;
      const { from, to = from, amount } = event;
      const when = from < night.to && to > night.from ? 'night' : 'day';
      amounts.set(when, (amounts.get(when) ?? new Set()).add(amount));
    }
  }
  expect(amounts).toEqual(
    new Map([
      ['day', new Set([2])],
      ['night', new Set([0])],
    ]),
  );
});

test('no severity gives a classic shop operators or alternatives', () => {
  const instance = generateTaillard({ jobs: 10, machines: 5, timeSeed: 1, machineSeed: 2 });
  const kinds = injectEvents({ instance, severity: 'heavy', seed: 1 }).map(({ kind }) => kind);
  expect(kinds).not.toContain('capacity');
  expect(kinds).not.toContain('alternative');
  expect(ofKind(instance, 'alternative', 1).length).toBeGreaterThan(5);
  expect(ofKind(instance, 'capacity', 1)).toEqual([]);
});

test('a simulation of such events is feasible, and counts the operations that changed machines', async () => {
  let reassigned = 0;
  for (let seed = 0; seed < 4; seed++) {
    const schedule = dispatch(shopOf(seed), { rule: 'mwkr' });
    const events = injectEvents({ instance: schedule.instance, severity: everything, seed });
    const method = findMethod('lcrp');
    const found = await simulate({
      schedule,
      events,
      method,
      policy: { budget: { evaluations: 500 } },
    });
    expect(found.finished).toBe(true);
    expect(found.report.valid).toBe(true);
    reassigned += found.repair.reassigned;
  }
  expect(reassigned).toBeGreaterThan(0);
});
