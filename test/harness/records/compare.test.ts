import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/harness/records/compare.js';
import { type RecordIdentity, recordKey } from '../../../src/harness/records/record.js';
import { expectedCells } from '../../../src/harness/run/manifest.js';
import { makeRecord, makeRun, optimizedRecord } from '../fixtures.js';

const makespan = fc.option(fc.integer({ min: 90, max: 99 }), { nil: null });

/** Makespans of a run and of its baseline for some instances, planners and replicates. */
const twoRuns = fc
  .uniqueArray(
    fc.record({
      instance: fc.constantFrom('abz5', 'abz6', 'abz7'),
      planner: fc.constantFrom('insertion', 'dispatch:spt'),
      replicate: fc.nat(2),
    }),
    { minLength: 18, maxLength: 18, selector: (identity) => JSON.stringify(identity) },
  )
  .chain((identities) =>
    fc.tuple(...identities.map((identity) => fc.tuple(fc.constant(identity), makespan, makespan))),
  );

const key = ({ instance, planner, replicate }: Omit<RecordIdentity, 'variant' | 'method'>) =>
  recordKey({ instance, planner, variant: 'full', method: null, replicate });

describe('compareRuns', () => {
  it('pairs every record with its own partner, in whatever order the baseline has them', () => {
    fc.assert(
      fc.property(twoRuns, (cells) => {
        const run = makeRun(cells.map(([names, now]) => makeRecord({ makespan: now, ...names })));
        const before = cells.map(([names, , was]) => makeRecord({ makespan: was, ...names }));
        const { pairs, counts } = compareRuns(run, makeRun(before.reverse()));
        const order = Array.from(expectedCells(run.manifest), recordKey);
        expect(pairs.map((pair) => recordKey(pair.run))).toEqual(order);
        expect(pairs.map((pair) => recordKey(pair.baseline))).toEqual(order);
        const values = new Map(cells.map(([cell, ...both]) => [key(cell), both]));
        pairs.forEach(({ run: record, baseline, verdict }) => {
          const [now, was] = values.get(key(record)) ?? [];
          expect([record.makespan, baseline.makespan]).toEqual([now, was]);
          const rank = (value: number | null | undefined) => value ?? 1000;
          if (now === null && was === null) expect(verdict).toBe('incomparable');
          else {
            const order = Math.sign(rank(now) - rank(was));
            expect(verdict).toBe(['better', 'same', 'worse'][order + 1]);
          }
        });
        expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(pairs.length);
      }),
    );
  });

  it('finds no difference between a run and itself', () => {
    const run = makeRun([
      makeRecord({ makespan: 101 }),
      makeRecord({ makespan: 102, replicate: 1 }),
    ]);
    expect(compareRuns(run, run)).toMatchObject({
      counts: { better: 0, worse: 0, same: 2, incomparable: 0 },
      baseline_only: 0,
    });
  });

  it('tells what became of a pair, in numbers and in words', () => {
    const run = makeRun([makeRecord({ makespan: 99 })]);
    const { pairs } = compareRuns(run, makeRun([makeRecord({ makespan: 110 })]));
    expect(pairs[0]).toMatchObject({ verdict: 'better', change_percent: -10 });
    expect(pairs[0].reason).toBe('makespan 99, was 110');
    const lost = compareRuns(makeRun([makeRecord({ makespan: null, status: 'error' })]), run);
    expect(lost.pairs[0]).toMatchObject({ verdict: 'worse', change_percent: null });
    expect(lost.pairs[0].reason).toBe('error, was makespan 99');
  });

  it('measures every stage of the baseline against the bounds of the run, too', () => {
    const bounds = { lower_bound: 101, upper_bound: 110 };
    const run = makeRun([optimizedRecord(121, 110, bounds)], { optimize: '9k-iterations' });
    const old = makeRun([optimizedRecord(132, 100)]);
    const comparison = compareRuns(run, old);
    expect(comparison.settings).toEqual([
      { setting: 'optimize', words: 'optimize', run: '9k-iterations', baseline: 'none' },
    ]);
    const [{ run: now, baseline }] = comparison.pairs;
    expect(now.stages.optimize).toMatchObject({ makespan: 110, gap_percent: 0, iterations: 2048 });
    expect(baseline.stages.plan).toMatchObject({ feasible: true, makespan: 132, gap_percent: 20 });
    expect(baseline.stages.optimize).toMatchObject({ feasible: false, makespan: null });
  });

  it('measures the baseline against the bounds of the run, so that better bounds change no verdict', () => {
    const run = makeRun([makeRecord({ makespan: 110, upper_bound: 100 })]);
    const old = makeRun([makeRecord({ makespan: 110, upper_bound: 105 })]);
    const [{ baseline }] = compareRuns(run, old).pairs;
    expect(baseline).toMatchObject({ upper_bound: 100, gap_percent: 10 });
  });

  it('does not trust the gap that a record states', () => {
    const record = { ...makeRecord({ makespan: 110 }), gap_percent: 1, proven_optimal: true };
    const [pair] = compareRuns(makeRun([record]), makeRun([record])).pairs;
    expect(pair.run).toMatchObject({ gap_percent: 10, proven_optimal: false });
    expect(pair.baseline).toMatchObject({ gap_percent: 10, proven_optimal: false });
  });

  it('believes no makespan below the lower bound, of neither side', () => {
    const honest = makeRun([makeRecord({ makespan: 100 })]);
    const lying = makeRun([makeRecord({ makespan: 80 })]);
    const [now] = compareRuns(lying, honest).pairs;
    expect(now).toMatchObject({
      verdict: 'incomparable',
      change_percent: null,
      run: { feasible: false, status: 'infeasible', makespan: null, gap_percent: null },
      reason: 'makespan 80 contradicts the lower bound 90',
    });
    const [before] = compareRuns(honest, lying).pairs;
    expect(before).toMatchObject({ verdict: 'incomparable', baseline: { feasible: false } });
  });

  it('has no percentage of a baseline that takes no time', () => {
    const at = (makespan: number) =>
      makeRun([makeRecord({ makespan, lower_bound: 0, upper_bound: 0 })]);
    expect(compareRuns(at(5), at(0)).pairs[0]).toMatchObject({
      verdict: 'worse',
      change_percent: null,
    });
    expect(compareRuns(at(0), at(0)).pairs[0]).toMatchObject({
      verdict: 'same',
      change_percent: 0,
    });
  });

  it('compares one planner with another, also within one run', () => {
    const cells = ['abz5', 'abz6'].flatMap((instance) => [
      makeRecord({ makespan: 110, instance }),
      makeRecord({ makespan: 100, instance, planner: 'insertion' }),
    ]);
    const both = makeRun(cells);
    const comparison = compareRuns(both, both, {
      planner: 'insertion',
      baselinePlanner: 'dispatch:spt',
    });
    expect(comparison).toMatchObject({ counts: { better: 2 }, baseline_only: 0 });
    for (const { run, baseline } of comparison.pairs) {
      expect([run.planner, baseline.planner]).toEqual(['insertion', 'dispatch:spt']);
      expect(run.instance).toBe(baseline.instance);
    }
    expect(compareRuns(both, both, { planner: 'insertion' }).counts.same).toBe(2);
    const one = makeRun(cells.filter(({ planner }) => planner === 'insertion'));
    expect(compareRuns(one, both, { baselinePlanner: 'dispatch:spt' }).counts.better).toBe(2);
    expect(() => compareRuns(one, both, { planner: 'magic' })).toThrow(
      'the run has no planner magic; it has insertion',
    );
    expect(() => compareRuns(both, one, { baselinePlanner: 'dispatch:spt' })).toThrow(
      'planners it lacks: dispatch:spt',
    );
  });

  it('accepts a baseline that holds more than the run, and counts what is left over', () => {
    const records = ['abz5', 'abz6'].map((instance) => makeRecord({ makespan: 100, instance }));
    expect(compareRuns(makeRun(records.slice(0, 1)), makeRun(records))).toMatchObject({
      counts: { same: 1 },
      baseline_only: 1,
    });
  });

  const base = makeRecord({ makespan: 100 });
  const run = makeRun([base]);
  it.each([
    ['other instances', makeRun([{ ...base, instance: 'la01' }]), 'instances it lacks: abz5'],
    [
      'other numbers',
      makeRun([base], {}, { instances: [{ instance: 'abz5', suite: 'abz', sha256: 'beef' }] }),
      'instances of other numbers: abz5',
    ],
    ['other planners', makeRun([{ ...base, planner: 'x' }]), 'planners it lacks: dispatch:spt'],
    ['other variants', makeRun([{ ...base, variant: 'x' }]), 'variants it lacks: full'],
    ['another seed', makeRun([base], { seed: 7 }), 'seed 0 instead of 7'],
    ['a missing record', { ...run, records: [] }, 'records it lacks: dispatch:spt on abz5'],
  ])('refuses a baseline with %s', (_what, baseline, message) => {
    expect(() => compareRuns(run, baseline)).toThrow(message);
  });

  it('refuses a baseline with fewer replicates', () => {
    const twice = makeRun([base, { ...base, replicate: 1 }]);
    expect(() => compareRuns(twice, run)).toThrow('2 replicates instead of 1');
  });

  it('lists all differences at once', () => {
    const other = makeRun([{ ...base, planner: 'x' }], { seed: 7 });
    expect(() => compareRuns(run, other)).toThrow(
      'the baseline does not fit the run: planners it lacks: dispatch:spt; seed 0 instead of 7; ' +
        'compare runs of the same settings',
    );
  });

  it('names the command that compares two planners if only the planners differ', () => {
    const other = makeRun([{ ...base, planner: "it's" }]);
    expect(() => compareRuns(run, other)).toThrow(
      "alas-jssp compare RUN BASELINE --planner 'dispatch:spt' --baseline-planner 'it'\\''s'",
    );
    const compared = { planner: 'dispatch:spt', baselinePlanner: "it's" };
    expect(compareRuns(run, other, compared).pairs).toHaveLength(1);
  });

  it('knows planners with a name of their own', () => {
    const named = { ...base, planner: 'mine' };
    const made = makeRun([named], { planners: ['mine=exec:mine'] });
    expect(compareRuns(made, made).pairs).toHaveLength(1);
  });

  it('omits the controls that an attribution has added', () => {
    const planners = ['dispatch:spt', 'empty', 'random', 'dispatch:mwkr'];
    const records = planners.map((planner) => ({ ...base, planner }));
    const attributed = makeRun(records, { planners, attribution: true });
    expect(compareRuns(attributed, run).pairs).toHaveLength(1);
  });

  it('refuses a run that is not finished', () => {
    const cut = { ...makeRun([base, { ...base, replicate: 1 }]), records: [base] };
    expect(() => compareRuns(cut, run)).toThrow('1 of the 2 records of the run are missing');
  });
});
