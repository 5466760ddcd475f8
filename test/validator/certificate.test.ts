import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
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
const createdWith = { package: 'alas-jssp', version: '0.1.0' };
const optimal = createSchedule(instance, Int32Array.from([2, 6, 0, 2]));
const slow = createSchedule(instance, Int32Array.from([0, 3, 3, 5]));

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

  it('names the source of a bound that nobody can recompute', () => {
    const lowerBound = { value: 9, source: 'literature, 2026-08' };
    const certificate = createCertificate(slow, { lowerBound, createdWith });
    expect(certificate).toMatchObject({ lower_bound: lowerBound, proven_optimal: true });
    expect(verifyCertificate(certificate, instance).optimality).toBe('source');
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

  it('answers to anything at all', () => {
    for (const junk of [null, undefined, 7, 'text', [], { starts: new Array(99).fill('x') }]) {
      const { valid, problems } = verifyCertificate(junk, instance);
      expect(valid).toBe(false);
      expect(problems.length).toBeLessThanOrEqual(10);
    }
  });
});
