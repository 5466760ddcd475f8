import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { createCertificate, verifyCertificate } from '../../src/validator/index.js';

const instance = instanceFromJobs('small', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [0, 2],
    [1, 4],
  ],
]);
const createdWith = { package: 'alas-jssp', version: '1.0.0' };
const optimal = createSchedule(instance, Int32Array.from([2, 6, 0, 2]));
const slow = createSchedule(instance, Int32Array.from([0, 3, 3, 5]));

/** Its optimum is 7, but every bound that can be computed ends at 6. */
const knotty = createSchedule(
  instanceFromJobs('knotty', [
    [
      [1, 2],
      [0, 3],
      [1, 1],
    ],
    [
      [1, 1],
      [0, 1],
      [1, 1],
    ],
  ]),
  Int32Array.from([0, 2, 5, 2, 5, 6]),
);
const source = 'literature, 2026-08';
const knownOfKnotty = { lowerBound: { value: 7, source }, upperBound: { value: 7, source } };

describe('createCertificate', () => {
  it('makes a certificate that survives JSON and verification', () => {
    const certificate = createCertificate(optimal, { createdWith });
    expect(certificate).toMatchObject({ makespan: 8, starts: [2, 6, 0, 2], proven_optimal: true });
    const read: unknown = JSON.parse(JSON.stringify(certificate));
    expect(verifyCertificate(read, instance)).toEqual({
      valid: true,
      problems: [],
      optimality: 'recomputed',
    });
  });

  it('claims no optimality that does not follow from a bound', () => {
    const certificate = createCertificate(slow, { createdWith });
    expect(certificate).toMatchObject({ makespan: 9, proven_optimal: false });
    expect(certificate.lower_bound?.value).toBe(8);
    expect(verifyCertificate(certificate, instance)).toMatchObject({
      valid: true,
      optimality: 'none',
    });
  });

  it('names the source of a bound that cannot be recomputed', () => {
    const certificate = createCertificate(knotty, { ...knownOfKnotty, createdWith });
    expect(certificate).toMatchObject({
      lower_bound: knownOfKnotty.lowerBound,
      proven_optimal: true,
    });
    expect(verifyCertificate(certificate, knotty.instance).optimality).toBe('source');
    expect(verifyCertificate(certificate, knotty.instance, knownOfKnotty).optimality).toBe(
      'source',
    );
  });

  it('refuses schedules that are not valid or too good to be true', () => {
    const broken = createSchedule(instance, Int32Array.from([0, 2, 3, 5]));
    expect(() => createCertificate(broken, { createdWith })).toThrow(/before job 1, step 1 ends/);
    const lowerBound = { value: 10, source: 'a paper' };
    expect(() => createCertificate(slow, { lowerBound, createdWith })).toThrow(/a paper/);
  });
});

describe('verifyCertificate', () => {
  const certificate = createCertificate(optimal, { createdWith });

  it.each([
    ['a start that breaks a rule', { starts: [2, 6, 1, 2] }],
    ['a start too few', { starts: [2, 6, 0] }],
    ['a start that is no time', { starts: [2, 6, 0.5, 2] }],
    ['another makespan', { makespan: 9, proven_optimal: false }],
    ['optimality without a bound', { lower_bound: null }],
    ['optimality below the makespan', { lower_bound: { value: 7, source: 'a paper' } }],
    ['a bound above the makespan', { lower_bound: { value: 9, source: 'a paper' } }],
    ['modesty', { proven_optimal: false }],
    ['another schema', { schema: 'alas-jssp/certificate@2' }],
    ['other sizes', { instance: { ...certificate.instance, jobs: 3 } }],
    ['another checksum', { instance: { ...certificate.instance, sha256: '0'.repeat(64) } }],
  ])('finds %s', (_what, changes) => {
    const check = verifyCertificate({ ...certificate, ...changes }, instance);
    expect(check.valid).toBe(false);
    expect(check.problems.length).toBeGreaterThan(0);
    expect(check.optimality).toBe('none');
  });

  it('rejects a bound that does not follow from the argument it names', () => {
    const ft06 = resolveSource('ft06').load();
    const late = createSchedule(ft06, dispatch(ft06, { rule: 'spt' }).start);
    const honest = createCertificate(late, { createdWith });
    const { makespan } = honest;
    expect(makespan).toBeGreaterThan(55);
    const lie = {
      ...honest,
      lower_bound: { value: makespan, source: 'one-machine preemptive' },
      proven_optimal: true,
    };
    expect(verifyCertificate(lie, ft06)).toEqual({
      valid: false,
      problems: [`the lower bound by one-machine preemptive is 52, not ${makespan}`],
      optimality: 'none',
    });
  });

  it.each([
    [{ lower_bound: { value: 9, source } }, /\(literature, 2026-08\) is not 8 \(literature/],
    [{ lower_bound: { value: 7, source } }, /7 \(literature, 2026-08\) is not 8 \(literature/],
    [{ lower_bound: { value: 9, source: 'literature' } }, /above the upper bound of 8/],
    [{ lower_bound: { value: 9, source: 'a paper' } }, /9 is above the upper bound of 8/],
    [{ upper_bound: { value: 9, source } }, /upper bound of 9 .* is not 8/],
    [{ upper_bound: { value: 7, source: 'a paper' } }, /7 is below the lower bound of 8/],
    [
      {
        lower_bound: { value: 9, source: 'a paper' },
        upper_bound: { value: 8, source: 'a paper' },
      },
      /lower bound of 9 is above the upper bound of 8 \(a paper\)/,
    ],
  ])('rejects a bound that contradicts a known one: %j', (changes, problem) => {
    const known = { lowerBound: { value: 8, source }, upperBound: { value: 8, source } };
    const honest = createCertificate(slow, { createdWith });
    expect(verifyCertificate(honest, instance, known).valid).toBe(true);
    const changed = { ...honest, ...changes };
    const proven_optimal = changed.lower_bound?.value === 9;
    const { valid, problems } = verifyCertificate({ ...changed, proven_optimal }, instance, known);
    expect(valid).toBe(false);
    expect(problems.join()).toMatch(problem);
  });

  it('accepts weaker bounds of an earlier time', () => {
    const then = 'literature, 2019-01';
    const old = {
      ...createCertificate(slow, { createdWith }),
      lower_bound: { value: 7, source: then },
      upper_bound: { value: 9, source: then },
    };
    const known = { lowerBound: { value: 8, source }, upperBound: { value: 8, source } };
    expect(verifyCertificate(old, instance, known).valid).toBe(true);
  });

  it('reports where it is malformed', () => {
    const { problems } = verifyCertificate({ ...certificate, starts: [2, 6, 0, -1] }, instance);
    expect(problems).toEqual([expect.stringMatching(/^\$\.starts\[3\]: /)]);
  });

  it('reports each problem in one line, whatever its names hold', () => {
    const lower_bound = { value: 99, source: 'a\rb\nc' };
    const { problems } = verifyCertificate(
      { ...createCertificate(optimal, { createdWith }), lower_bound },
      instance,
    );
    expect(problems.join(' ')).toContain('a\\rb\\nc');
    for (const problem of problems) expect(problem).not.toMatch(/[\r\n]/);
  });

  it('returns a result for any input', () => {
    for (const junk of [null, undefined, 7, 'text', [], { starts: new Array(99).fill('x') }]) {
      const { valid, problems } = verifyCertificate(junk, instance);
      expect(valid).toBe(false);
      expect(problems.length).toBeLessThanOrEqual(10);
    }
  });
});
