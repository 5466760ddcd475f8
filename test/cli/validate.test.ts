import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from './cli.js';

/** Plans ft06 and returns the file and its entries. */
async function planned() {
  const directory = temporaryDirectory();
  const file = join(directory, 'plan.json');
  await cli(['plan', 'ft06', '--planner', 'insertion', '--out', file]);
  return { directory, file, plan: JSON.parse(readFileSync(file, 'utf8')) };
}

describe('alas-jssp plan, validate and verify', () => {
  it('accept a plan and its certificate', async () => {
    const { directory, file } = await planned();
    const certificate = join(directory, 'certificate.json');
    const judged = await cli(['validate', 'ft06', file, '--certificate', certificate]);
    expect(judged).toMatchObject({ code: 0, stderr: `certificate in ${certificate}\n` });
    const verified = await cli(['verify', certificate]);
    expect(verified.stdout).toMatch(/^ft06: true, a feasible schedule of makespan \d+\n$/);
    expect(verified.code).toBe(0);
  });

  it('refuse a plan after any one of its numbers is changed, and say which rule it breaks', async () => {
    const { directory, plan } = await planned();
    const file = join(directory, 'faulty.json');
    const changes: [string, (entries: Record<string, unknown>[]) => void, string][] = [
      ['start', (entries) => Object.assign(entries[0], { start: 3 }), 'wrong_duration'],
      ['machine', (entries) => Object.assign(entries[7], { machine: 'Machine0' }), 'wrong_machine'],
      ['step', (entries) => Object.assign(entries[4], { step: 9 }), 'unknown_step'],
      ['job', (entries) => Object.assign(entries[4], { job: 'Job7' }), 'unknown_job'],
      ['missing', (entries) => entries.pop(), 'missing_operation'],
    ];
    for (const [, change, code] of changes) {
      const faulty = structuredClone(plan);
      change(faulty.entries);
      writeFileSync(file, JSON.stringify(faulty));
      const outcome = await cli(['validate', 'ft06', file, '--json']);
      expect(outcome.code).toBe(1);
      expect(JSON.parse(outcome.stdout).counts[code]).toBeGreaterThan(0);
    }
  });

  it('refuse a certificate whose schedule or makespan was tampered with', async () => {
    const { directory, file } = await planned();
    const path = join(directory, 'certificate.json');
    await cli(['validate', 'ft06', file, '--certificate', path]);
    const certificate = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...certificate, makespan: certificate.makespan - 1 }));
    const { code, stdout } = await cli(['verify', path]);
    expect(code).toBe(1);
    expect(stdout).toContain('the makespan is');
  });

  it('group violations by root cause for people', async () => {
    const { directory, plan } = await planned();
    const file = join(directory, 'faulty.json');
    plan.entries[1].start -= 1;
    plan.entries[1].end -= 1;
    writeFileSync(file, JSON.stringify(plan));
    const { code, stdout } = await cli(['validate', 'ft06', file, '--format', 'table']);
    expect(stdout).toMatch(/^ft06: invalid, \d+ violations? from 1 root cause\n/);
    expect(code).toBe(1);
  });

  it('point at the place in a file that cannot be read', async () => {
    const file = join(temporaryDirectory(), 'plan.csv');
    writeFileSync(file, 'job,step,machine,start,end\n1,1,2,zero,1\n');
    const { code, stderr } = await cli(['validate', 'ft06', file]);
    expect(stderr).toContain(`${file}:2`);
    expect(code).toBe(2);
  });

  it('plan again what was planned before, given the same seed', async () => {
    const draw = (seed: string) =>
      cli(['plan', 'la01', '--planner', 'dispatch:random', '--seed', seed, '--format', 'csv']);
    const [first, again, other] = await Promise.all([draw('5'), draw('5'), draw('6')]);
    expect(again.stdout).toBe(first.stdout);
    expect(other.stdout).not.toBe(first.stdout);
  });
});
