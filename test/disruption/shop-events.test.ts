import { describe, expect, it, test } from 'vitest';
import { setCapacity } from '../../src/disruption/capacities.js';
import {
  affectedOperations,
  applyEvents,
  type EventInput,
  parseEvent,
  parseEvents,
} from '../../src/disruption/index.js';
import { createInstance, type Instance, replaceInstance } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { modesOf } from '../../src/jssp/shop-parts.js';

/** Two jobs of two steps on three machines; job 1 step 1 has two machines, needs Ana, and is of family 1. */
const shop = createInstance({
  name: 'parts',
  machines: 3,
  jobOffset: Int32Array.of(0, 2, 4),
  machine: Int32Array.of(0, 1, 0, 2),
  duration: Int32Array.of(10, 20, 10, 20),
  modes: {
    offset: Int32Array.of(0, 2, 4, 5, 6),
    machine: Int32Array.of(0, 2, 1, 2, 0, 2),
    duration: Int32Array.of(10, 15, 20, 40, 10, 20),
    chosen: Int32Array.of(0, 2, 4, 5),
  },
  setups: {
    families: 2,
    family: Int32Array.of(1, 0, 1, 0),
    matrixOf: Int32Array.of(0, -1, -1),
    time: Int32Array.of(0, 2, 2, 0),
    first: Int32Array.of(0, 0),
    anticipatory: Uint8Array.of(1, 1, 1),
  },
  transport: { time: new Int32Array(9) },
  precedence: {
    offset: Int32Array.of(0, 0, 1, 1, 2),
    pred: Int32Array.of(0, 2),
    minLag: Int32Array.of(3, 0),
    maxLag: Int32Array.of(-1, -1),
  },
  resources: {
    count: 1,
    capacity: Int32Array.of(2),
    names: ['Ana'],
    calendar: null,
    needOffset: Int32Array.of(0, 1, 2, 3, 3, 3, 4),
    needResource: Int32Array.of(0, 0, 0, 0),
    needAmount: Int32Array.of(1, 1, 1, 1),
    needPhase: new Uint8Array(4),
  },
});
const plan = createSchedule(shop, Int32Array.of(0, 13, 12, 22));
const apply = (now: number, ...events: EventInput[]) => applyEvents(plan, events, now);
const modesIn = (instance: Instance, op: number) => {
  const [first, stop] = modesOf(instance, op);
  const { machine, duration } = instance.modes ?? instance;
  return Array.from({ length: stop - first }, (_, i) => [machine[first + i], duration[first + i]]);
};

describe('a new duration', () => {
  it('of the planned machine changes the others by the same factor', () => {
    const { instance } = apply(5, { kind: 'duration', job: 0, step: 1, duration: 30 });
    expect(modesIn(instance, 1)).toEqual([
      [1, 30],
      [2, 60],
    ]);
    expect(instance.duration[1]).toBe(30);
  });

  it('of one machine changes no other', () => {
    const { instance } = apply(5, { kind: 'duration', job: 0, step: 1, machine: 2, factor: 0.5 });
    expect(modesIn(instance, 1)).toEqual([
      [1, 20],
      [2, 20],
    ]);
  });

  it('of a machine that cannot do it, or does not do what has started, is refused', () => {
    const other: EventInput = { kind: 'duration', job: 0, step: 0, machine: 2, duration: 9 };
    expect(() => apply(5, other)).toThrow(
      /the operation has started on machine \d; use machine \d/,
    );
    const wrong: EventInput = { kind: 'duration', job: 0, step: 1, machine: 0, duration: 9 };
    expect(() => apply(5, wrong)).toThrow('machine 0 cannot do the operation; use machine 1, ');
  });
});

describe('an alternative', () => {
  it('is one more mode, with the needs of the planned one; the choice stays', () => {
    const event: EventInput = { kind: 'alternative', job: 1, step: 1, machine: 1, duration: 9 };
    const { instance, events } = apply(5, event);
    expect(modesIn(instance, 3)).toEqual([
      [2, 20],
      [1, 9],
    ]);
    expect(instance.machine[3]).toBe(2);
    expect(Array.from(instance.resources?.needOffset.subarray(5) ?? [])).toEqual([3, 4, 5]);
    expect(Array.from(affectedOperations(plan, { ...apply(5, event), events }))).toEqual([3]);
  });

  it('makes a shop of one machine each a shop with modes', () => {
    const classic = createInstance({
      name: 'c',
      machines: 2,
      jobOffset: Int32Array.of(0, 2),
      machine: Int32Array.of(0, 1),
      duration: Int32Array.of(3, 4),
    });
    const schedule = createSchedule(classic, Int32Array.of(0, 3));
    const event: EventInput = { kind: 'alternative', job: 0, step: 1, machine: 0, duration: 9 };
    const { instance } = applyEvents(schedule, [event], 1);
    expect(modesIn(instance, 1)).toEqual([
      [1, 4],
      [0, 9],
    ]);
  });

  it('for a machine that has it is its new duration; what has started is refused', () => {
    const again: EventInput = { kind: 'alternative', job: 0, step: 1, machine: 1, duration: 9 };
    const { instance } = apply(5, again);
    expect(modesIn(instance, 1)[0]).toEqual([1, 9]);
    expect(instance.duration[1]).toBe(9);
    const late: EventInput = { kind: 'alternative', job: 0, step: 0, machine: 1, duration: 9 };
    expect(() => apply(5, late)).toThrow('the operation started at 0');
  });
});

describe('the needs of an alternative', () => {
  const needsOf = (instance: Instance, op: number) => {
    const { resources } = instance;
    const [first, stop] = modesOf(instance, op);
    const offsets = resources?.needOffset.subarray(first, stop + 1) ?? new Int32Array();
    return Array.from(offsets.subarray(1), (end, i) =>
      Array.from(resources?.needAmount.subarray(offsets[i], end) ?? []),
    );
  };
  const again = (more: object): EventInput =>
    ({ kind: 'alternative', job: 1, step: 0, duration: 9, ...more }) as EventInput;

  it('stay those of its machine if it had it, whether or not the machine is the planned one', () => {
    const late = createSchedule(shop, Int32Array.of(0, 13, 20, 33));
    const other = applyEvents(late, [again({ machine: 0 })], 5).instance;
    expect(needsOf(other, 2)).toEqual([[]]);
    const changed = applyEvents(late, [again({ job: 0, step: 1, machine: 2 })], 5).instance;
    expect(needsOf(changed, 1)).toEqual([[1], []]);
    const newOne = applyEvents(late, [again({ job: 0, step: 1, machine: 0 })], 5).instance;
    expect(needsOf(newOne, 1)).toEqual([[1], [], [1]]);
  });

  it('are refused with their amount if there is not as much', () => {
    const more = { count: 2, capacity: Int32Array.of(2, 0), names: ['Ana', 'Bob'] };
    const other = replaceInstance(shop, {
      resources: shop.resources && { ...shop.resources, ...more },
    });
    const event = again({ step: 1, machine: 1, needs: [{ resource: 'Bob' }] });
    const report = () => applyEvents(createSchedule(other, plan.start), [event], 5);
    expect(report).toThrow('it needs 1 of Bob; give 0 or less');
  });
});

describe('a capacity', () => {
  const capacities = (instance: Instance) => {
    const { from, to, amount } = instance.resources?.calendar ?? {};
    return Array.from(from ?? [], (_, i) => [from?.[i], to?.[i], amount?.[i]]);
  };

  it('holds for its time, and stops the operation that started last', () => {
    const event: EventInput = { kind: 'capacity', resource: 'Ana', from: 25, to: 40, amount: 1 };
    const { instance, lost } = apply(25, event);
    expect(capacities(instance)).toEqual([[25, 40, 1]]);
    expect(Array.from(lost)).toEqual([3]);
    expect(Array.from(instance.frozen ?? [])).toEqual([0, 13, 12, -1]);
  });

  it('that begins when operations in progress are done stops none', () => {
    const event: EventInput = { kind: 'capacity', resource: 0, from: 42, to: 50, amount: 0 };
    expect(apply(25, event).lost).toHaveLength(0);
  });

  it('without an end is estimated, and ends with the report of the usual amount', () => {
    const ill: EventInput = { kind: 'capacity', resource: 0, from: 44, amount: 1 };
    const first = apply(43, ill);
    expect(first.events[0]).toMatchObject({ from: 44, to: 47, estimated: true });
    const next = createSchedule(first.instance, plan.start);
    const back: EventInput = { kind: 'capacity', resource: 0, from: 45, amount: 2 };
    const { instance } = applyEvents(next, [back], 45);
    expect(capacities(instance)).toEqual([[44, 45, 1]]);
    expect(() => apply(43, back)).toThrow('it has its usual capacity of 2');
  });

  it('of an unknown resource is refused with the names', () => {
    const event: EventInput = { kind: 'capacity', resource: 'Bob', from: 25 };
    expect(() => apply(25, event)).toThrow('Ana');
    expect(() => apply(25, { ...event, resource: 4 })).toThrow('there is no resource 4');
  });

  it('replaces what was known, and the rest of an estimate', () => {
    const known = [
      { from: 0, to: 10, amount: 0 },
      { from: 20, to: 30, amount: 1, estimated: true } as const,
    ];
    expect(setCapacity(known, 2, { from: 5, to: 8, amount: 1 })).toEqual([
      { from: 0, to: 5, amount: 0 },
      { from: 5, to: 8, amount: 1 },
      { from: 8, to: 10, amount: 0 },
      known[1],
    ]);
    expect(setCapacity(known, 2, { from: 22, to: 24, amount: 0 })).toEqual([
      known[0],
      { from: 20, to: 22, amount: 1 },
      { from: 22, to: 24, amount: 0 },
    ]);
  });
});

test('jobs that arrive with the first alternative of a shop keep their machines', () => {
  const classic = createInstance({
    name: 'c',
    machines: 3,
    jobOffset: Int32Array.of(0, 1),
    machine: Int32Array.of(0),
    duration: Int32Array.of(3),
  });
  const operations = [
    { machine: 2, duration: 4 },
    { machine: 1, duration: 5 },
  ];
  const { instance } = applyEvents(
    createSchedule(classic, Int32Array.of(9)),
    [
      { kind: 'alternative', job: 0, step: 0, machine: 1, duration: 2 },
      { kind: 'arrival', job: { operations } },
      { kind: 'duration', job: 1, step: 1, duration: 6 },
    ],
    1,
  );
  expect(Array.from(instance.machine)).toEqual([0, 2, 1]);
  expect(Array.from(instance.duration)).toEqual([3, 4, 6]);
});

test('a new duration outlasts an arrival that brings the first alternatives', () => {
  const classic = createInstance({
    name: 'c',
    machines: 2,
    jobOffset: Int32Array.of(0, 2),
    machine: Int32Array.of(0, 1),
    duration: Int32Array.of(3, 8),
  });
  const operations = [{ machine: 0, duration: 9, alternatives: [{ machine: 1, duration: 4 }] }];
  const { instance } = applyEvents(
    createSchedule(classic, Int32Array.of(0, 3)),
    [
      { kind: 'duration', job: 0, step: 1, duration: 9 },
      { kind: 'arrival', job: { operations } },
    ],
    4,
  );
  expect(Array.from(instance.duration)).toEqual([3, 9, 9]);
});

test('arrivals and cancellations renumber modes, needs, families and edges', () => {
  const operations = [
    { machine: 1, duration: 5, family: 0, alternatives: [{ machine: 2, duration: 6 }] },
    { machine: 0, duration: 7, family: 1, needs: [{ resource: 'Ana', amount: 2 }] },
  ];
  const { instance } = apply(
    5,
    { kind: 'cancellation', job: 0 },
    { kind: 'arrival', job: { operations } },
  );
  expect(instance.operations).toBe(5);
  expect(modesIn(instance, 0)).toEqual([
    [0, 10],
    [2, 15],
  ]);
  expect(modesIn(instance, 3)).toEqual([
    [1, 5],
    [2, 6],
  ]);
  expect(Array.from(instance.setups?.family ?? [])).toEqual([1, 1, 0, 0, 1]);
  expect(Array.from(instance.precedence?.offset ?? [])).toEqual([0, 0, 0, 1, 1, 2]);
  expect(Array.from(instance.precedence?.pred ?? [])).toEqual([1, 3]);
  const { needOffset, needAmount } = instance.resources ?? {};
  expect(Array.from(needOffset ?? [])).toEqual([0, 1, 2, 2, 3, 3, 3, 4]);
  expect(Array.from(needAmount ?? [])).toEqual([1, 1, 1, 2]);
});

test('an arriving operation needs a family in a shop with setups, and none elsewhere', () => {
  const arrival = (family?: number): EventInput => ({
    kind: 'arrival',
    job: { operations: [{ machine: 1, duration: 5, family }] },
  });
  expect(() => apply(5, arrival())).toThrow('an arriving operation has no setup family');
  expect(() => apply(5, arrival(2))).toThrow('use 0 to 1');
});

test('needs that name a resource twice are refused in their place', () => {
  const text = (needs: string) =>
    `alternative:at=5,job=1,step=2,machine=0,duration=7,needs=${needs}`;
  expect(() => parseEvent(text('Ana+Ana'), { instance: shop })).toThrow(
    /^needs of the event ".*": this is a list; name each resource once, with its amount/,
  );
  expect(parseEvent(text('Ana+Ana@setup'), { instance: shop })).toMatchObject({ duration: 7 });
});

test('an arriving operation without a family is refused with the names there are', () => {
  const names = ['steel', 'brass'];
  const named = replaceInstance(shop, { setups: shop.setups && { ...shop.setups, names } });
  const missing: EventInput = {
    kind: 'arrival',
    job: { operations: [{ machine: 1, duration: 5 }] },
  };
  expect(() => applyEvents(createSchedule(named, plan.start), [missing], 5)).toThrow(
    'an arriving operation has no setup family; use one of steel, brass',
  );
});

test('a cancelled job with a started step after an open one keeps the open one without duration', () => {
  const graph = replaceInstance(shop, {
    precedence: {
      offset: new Int32Array(5),
      pred: new Int32Array(),
      minLag: new Int32Array(),
      maxLag: new Int32Array(),
    },
  });
  const started = createSchedule(graph, Int32Array.of(30, 0, 12, 22));
  const { instance } = applyEvents(started, [{ kind: 'cancellation', job: 0 }], 5);
  expect(instance.operations).toBe(4);
  expect(modesIn(instance, 0)).toEqual([[0, 0]]);
  expect(Array.from(instance.frozen ?? [])).toEqual([-1, 0, -1, -1]);
});

test('setup families of arriving jobs have names, in every form of an event', () => {
  const named = replaceInstance(shop, {
    setups: shop.setups && { ...shop.setups, names: ['steel', 'brass'] },
  });
  const familyOf = (event: ReturnType<typeof parseEvent>) =>
    event.kind === 'arrival' ? event.job.operations[0].family : undefined;
  const text = (family: string) => `arrival:at=5,release=5,operations=0:10+Ana~${family}|2:9+Ana`;
  expect(familyOf(parseEvent(text('brass'), { instance: named }))).toBe(1);
  expect(familyOf(parseEvent(text('0'), { instance: named }))).toBe(0);
  expect(() => parseEvent(text('bras'), { instance: named })).toThrow(
    'operations[0].family of the event',
  );
  const job = { operations: [{ machine: 0, duration: 10, family: 'brass' }] };
  const file = { schema: 'alas-jssp/events@1', events: [{ kind: 'arrival', at: 5, job }] };
  const { events } = parseEvents(Buffer.from(JSON.stringify(file)), 'events.json', {
    instance: named,
  });
  expect(familyOf(events[0])).toBe(1);
});
