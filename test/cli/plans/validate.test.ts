import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

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
    expect(judged).toMatchObject({ code: 0 });
    expect(judged.stderr).toMatch(/^ft06: valid, makespan \d+, .*\ncertificate in .*\n$/);
    const verified = await cli(['verify', certificate, '--format', 'table']);
    expect(verified.stdout).toMatch(/^ft06: true, a feasible schedule of makespan \d+\n$/);
    expect(verified.code).toBe(0);
  });

  it('verify refuses what is another document', async () => {
    const { file } = await planned();
    const { code, stderr } = await cli(['verify', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'plan.json: this is "alas-jssp/plan@1", not a certificate; give a file',
    );
  });

  it('print the total weighted tardiness of a valid plan if jobs have due dates', async () => {
    const directory = temporaryDirectory();
    const operations = [{ machine: 0, duration: 5 }];
    const jobs = [
      { due: 3, weight: 4, operations },
      { due: 9, operations },
    ];
    const shop = join(directory, 'shop.json');
    writeFileSync(shop, JSON.stringify({ schema: 'alas-jssp/instance@1', machines: 1, jobs }));
    const plan = join(directory, 'plan.csv');
    const write = (start: number) =>
      writeFileSync(plan, `job,step,machine,start,end\n1,1,0,0,5\n2,1,0,${start},${start + 5}\n`);
    write(5);
    const valid = await cli(['validate', shop, plan, '--json']);
    expect(valid.stderr).toBe('shop: valid, makespan 10, total weighted tardiness 9\n');
    expect(JSON.parse(valid.stdout).tardiness).toBe(4 * (5 - 3) + (10 - 9));
    write(4);
    const invalid = await cli(['validate', shop, plan, '--json']);
    expect(invalid.stderr).not.toContain('tardiness');
    expect(JSON.parse(invalid.stdout).tardiness).toBeNull();
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
    const { code, stdout, stderr } = await cli(['verify', path]);
    expect(code).toBe(1);
    expect(stdout).toContain('the makespan is');
    expect(stderr).toBe('ft06: not true\n');
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

  it('say the verdict on stderr where stdout holds the violations', async () => {
    const file = join(temporaryDirectory(), 'empty.json');
    writeFileSync(file, '{ "instance": "la01", "entries": [] }');
    const listed = await cli(['validate', 'ft06', file, '--limit', '5']);
    expect(listed.stdout.trim().split('\n')).toHaveLength(1 + 5);
    expect(listed.stderr).toBe(
      'warning: the plan names the instance la01, not ft06\n' +
        'ft06: invalid, 36 violations from 1 root cause; only the first 5 are listed and grouped\n',
    );
    expect((await cli(['validate', 'ft06', file, '--quiet'])).stderr).toBe('');
    const { stdout } = await cli(['validate', 'ft06', file, '--format', 'table']);
    expect(stdout).toMatch(/^warning: the plan names the instance /);
  });

  it('name the first of the violations of a plan that fails', async () => {
    const planner = join(temporaryDirectory(), 'planner.mjs');
    writeFileSync(
      planner,
      `export async function planner(instance) {
         const entries = [];
         for (let op = 0, time = 0; op < instance.operations - 1; op++) {
           const [job, machine] = [instance.jobOf[op], instance.machine[op]];
           const end = time + instance.duration[op];
           entries.push({ job, step: op - instance.jobOffset[job], machine, start: time, end });
           time = end;
         }
         return { entries };
       }`,
    );
    const { code, stderr } = await cli(['plan', 'ft06', '--planner', `module:${planner}`]);
    expect(stderr).toMatch(/: infeasible, 1 violation: \S.*\n$/);
    expect(code).toBe(1);
  });

  it('write one row for a certificate in CSV and Markdown, and a document in JSON', async () => {
    const { directory, file } = await planned();
    const path = join(directory, 'certificate.json');
    await cli(['validate', 'ft06', file, '--certificate', path]);
    const [csv, md, json] = await Promise.all(
      ['csv', 'md', 'json'].map((format) => cli(['verify', path, '--format', format])),
    );
    expect(csv.stdout).toMatch(
      /^instance,valid,makespan,optimality,problems\nft06,true,\d+,none,\n$/,
    );
    expect(csv.stderr).toMatch(/^ft06: true, a feasible schedule of makespan \d+\n$/);
    expect(md.stdout).toMatch(/^\| instance \| valid \|.*\n.*\n\| ft06 \| true \|/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: 'alas-jssp/verification@1',
      instance: 'ft06',
      valid: true,
      problems: [],
    });
  });

  it('ask for the instance of a certificate that is for no benchmark', async () => {
    const cwd = temporaryDirectory();
    const size = ['--jobs', '3', '--machines', '2'];
    await cli(['generate', 'random', ...size, '--out', 'tiny.txt'], { cwd });
    await cli(['plan', 'tiny.txt', '--out', 'plan.json'], { cwd });
    await cli(['validate', 'tiny.txt', 'plan.json', '--certificate', 'c.json'], { cwd });
    const { code, stderr } = await cli(['verify', 'c.json'], { cwd });
    expect(stderr).toBe(
      'alas-jssp: c.json: this certificate is for tiny, which is no benchmark; name the file of its instance with --instance\n',
    );
    expect(code).toBe(2);
    expect((await cli(['verify', 'c.json', '--instance', 'tiny.txt'], { cwd })).code).toBe(0);
  });

  it('hold a plan against the bounds of the literature before they call it feasible', async () => {
    const { stderr } = await cli(['plan', 'ft06', '--planner', 'insertion']);
    expect(stderr).toMatch(
      /^ft06 by insertion: feasible, makespan \d+, .* % above the best known 55/,
    );
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
