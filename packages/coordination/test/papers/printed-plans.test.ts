import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { VIOLATION_CODES } from '../../src/judge/violation.js';
import { problemSchema } from '../../src/model/problem-schema.js';
import { bundledNames, bundledPlan, bundledProblem } from '../../src/papers/bundled.js';
import { judgePrintedPlans } from '../../src/papers/printed-plans.js';
import { cli } from '../cli/cli.js';

describe('a printed plan', () => {
  it.each([
    ['alas-table-21', []],
    ['alas-table-22', []],
    ['alas-table-23', []],
    ['alas-table-24', ['too_fast']],
    ['alas-table-25', ['too_fast', 'too_fast', 'overlap']],
    ['alas-table-27', ['too_few_people']],
    ['alas-table-28', []],
    ['alas-table-28-home', ['not_there', 'not_there']],
    ['sagallm-table-6', ['closed_place']],
    ['sagallm-table-7', ['too_fast', 'too_fast']],
    [
      'sagallm-table-8',
      [
        ...['past_rewritten', 'past_rewritten'],
        ...['too_fast', 'too_fast', 'too_fast', 'too_fast', 'missing_activity'],
      ],
    ],
    ['sagallm-table-9', []],
  ])('%s has these violations: %j', (name, codes) => {
    const verdict = judgePrintedPlans().find(({ plan }) => plan === name);
    expect(verdict?.codes).toEqual(codes);
    expect(verdict?.valid).toBe(codes.length === 0);
  });

  it('differs from its paper in one case: table 28 without the road from New York', () => {
    const differing = judgePrintedPlans().filter(({ agree }) => !agree);
    expect(differing.map(({ plan }) => plan)).toEqual(['alas-table-28-home']);
  });

  it.each(['thanksgiving-road', 'thanksgiving-delay-home', 'ride-sharing', 'wedding'])(
    'has one of ours for the same problem that is valid: %s',
    (name) => {
      expect(judge(bundledProblem(name), bundledPlan(name)).violations).toEqual([]);
    },
  );

  it('is for a problem that is there, by a plan that says how it was read', () => {
    for (const name of bundledNames('plans')) {
      const { problem, source, notes } = bundledPlan(name);
      expect(bundledNames('problems')).toContain(problem);
      expect(source).toBeTruthy();
      expect(notes?.length).toBeGreaterThan(0);
    }
  });
});

describe('variants of a problem', () => {
  const differing = (a: string, b: string) => {
    const [one, other] = [bundledProblem(a).facts, bundledProblem(b).facts];
    const keys = Object.keys(one) as (keyof typeof one)[];
    const told = ['name', 'text', 'source', 'assumptions'];
    return keys
      .filter((key) => !told.includes(key))
      .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
  };

  it.each([
    ['thanksgiving', 'thanksgiving-delay-home', ['people']],
    ['thanksgiving-road', 'thanksgiving-delay', ['people']],
    ['thanksgiving', 'thanksgiving-road', ['places', 'roads', 'people', 'vehicles']],
    ['wedding', 'wedding-traffic', ['traffic']],
    ['ride-sharing', 'ride-sharing-reactive', ['people', 'rides']],
  ])('%s and %s differ in %j alone', (a, b, keys) => {
    expect(differing(a, b)).toEqual(keys);
  });
});

describe('ride-sharing', () => {
  it('can be done in 87 km, less than the papers claim', () => {
    const { metres } = judge(bundledProblem('ride-sharing'), bundledPlan('ride-sharing'));
    expect(metres).toBe(87_000);
  });

  const { roads, rides, vehicles } = bundledProblem('ride-sharing');

  it('has minutes that follow from kilometres and speeds, rounded up', () => {
    for (const [from, row] of roads) {
      for (const [to, { minutes, metres }] of row) {
        const speed = [from, to].includes('G') ? 100 : 60;
        expect(minutes).toBe(Math.ceil((60 * metres) / 1000 / speed));
      }
    }
  });

  it('asks for arrivals from 08:45 on, in vehicles without a range', () => {
    const windows = Array.from(rides.values(), ({ arrive }) => [arrive.earliest, arrive.latest]);
    expect(windows).toEqual([525, 530, 535, 540].map((deadline) => [525, deadline]));
    expect(Array.from(vehicles.values(), ({ range }) => range)).toEqual(Array(3).fill(Infinity));
  });
});

it('docs/how-to/coordination.md has the table as the command makes it', async () => {
  const page = readFileSync(
    new URL('../../../../docs/how-to/coordination.md', import.meta.url),
    'utf8',
  );
  const { stdout } = await cli(['papers', '--format', 'md']);
  expect(page).toContain(stdout.trim());
});

it('docs/how-to/coordination.md explains every violation and every key of a problem', () => {
  const page = readFileSync(
    new URL('../../../../docs/how-to/coordination.md', import.meta.url),
    'utf8',
  );
  const named = new Set(Array.from(page.matchAll(/`(\w+)`/g), ([, word]) => word));
  expect(VIOLATION_CODES.filter((code) => !named.has(code))).toEqual([]);
  expect(Object.keys(problemSchema.shape).filter((key) => !named.has(key))).toEqual([]);
});
