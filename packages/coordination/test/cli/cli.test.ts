import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { bundledNames } from '../../src/papers/bundled.js';
import { ridesInstance, weddingInstance } from '../realm/instances.js';
import { cli } from './cli.js';

const problems = new URL('../../problems/', import.meta.url);

describe('alas-coordination validate', () => {
  it('is silent about a valid plan but for one line', async () => {
    const outcome = await cli(['validate', 'thanksgiving', 'alas-table-21', '--format', 'table']);
    expect(outcome).toEqual({
      code: 0,
      stdout: 'thanksgiving: valid, ends at 18:00, 120.0 km\n',
      stderr: '',
    });
  });

  it('tells preferences that are not kept, which are no faults', async () => {
    const before = readFileSync(new URL('../plans/alas-table-24.json', problems), 'utf8');
    const mended = before
      .replace('"start": "15:15",\n      "end": "16:15"', '"start": "15:00",\n      "end": "16:00"')
      .replace(
        '"start": "16:15",\n      "end": "17:00"',
        '"start": "16:00",\n      "end": "17:00"',
      );
    const { code, stdout } = await cli(
      ['validate', 'thanksgiving', '-', '--format', 'table'],
      mended,
    );
    expect(code).toBe(0);
    expect(stdout).toBe(`thanksgiving: valid, ends at 18:00, 240.0 km

Not kept, which is no fault:
- Grandma would like Michael to fetch her (30)
`);
  });

  it('lists causes, each with what goes with it', async () => {
    const { code, stdout } = await cli(
      'validate thanksgiving-delay-home alas-table-28-home --format table'.split(' '),
    );
    expect(code).toBe(1);
    expect(stdout).toBe(`thanksgiving-delay-home: invalid, 2 violations from 1 root cause

1. Michael's car is at home, not at airport, at 15:00 [not_there]
     Michael is at home, not at airport, at 15:00
`);
  });

  it('holds a plan against what has happened', async () => {
    const args = ['validate', 'wedding-traffic', 'sagallm-table-8', '--json'];
    const alone = JSON.parse((await cli(args)).stdout);
    const after = JSON.parse(
      (await cli([...args, '--before', 'sagallm-table-6', '--now', '1:00 PM'])).stdout,
    );
    const codes = ({ violations }: { violations: { code: string }[] }) =>
      violations.map(({ code }) => code);
    expect(codes(alone)).not.toContain('past_rewritten');
    expect(codes(after)).toEqual(['past_rewritten', 'past_rewritten', ...codes(alone)]);
    expect(after).toMatchObject({ schema: 'alas-coordination/validation@1', valid: false });
  });

  it('takes files and stdin as well as names', async () => {
    const wedding = readFileSync(new URL('wedding.json', problems), 'utf8');
    const { code, stderr } = await cli(['validate', '-', 'sagallm-table-6'], wedding);
    expect(code).toBe(1);
    expect(stderr).toBe('wedding: invalid, 1 violation from 1 root cause\n');
  });

  it('lets no name of a plan steer the terminal', async () => {
    const plan = {
      ...{ schema: 'alas-coordination/plan@1', problem: '\u001b[2Jwedding' },
      actions: [{ do: 'stay', who: ['\u001b[31mpat'], at: 'W', start: '12:00', end: '12:01' }],
    };
    const args = ['validate', 'wedding', '-', '--format', 'table'];
    const { stdout, stderr } = await cli(args, JSON.stringify(plan));
    expect(stdout).toContain('\\u001b[31mpat');
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
  });

  it('says so when the plan is for another problem', async () => {
    const { stderr } = await cli(['validate', 'wedding-traffic', 'sagallm-table-6']);
    expect(stderr).toContain("warning: the plan says that it is for 'wedding'\n");
  });

  it.each([
    [['validate', 'weding', 'x'], "there is no problem 'weding'; did you mean wedding"],
    [['validate', 'wedding', 'sagallm'], "there is no plan 'sagallm'"],
    [['validate', 'wedding', './none.json'], './none.json: '],
    [['validate', 'wedding', 'sagallm-table-6', '--now', '13:00'], '--before and --now'],
    [['validate', 'wedding', 'sagallm-table-6', '--now', '1pm'], "'1pm' is no clock time"],
    [['validate', '-', '-'], 'only one can come from stdin'],
    [['validte'], "there is no command 'validte'; did you mean validate?"],
  ])('refuses %j in one line', async (args, problem) => {
    const { code, stdout, stderr } = await cli(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(problem);
    expect(stderr.startsWith('alas-coordination: ')).toBe(true);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it('names the file and the JSON path of what is wrong with it', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'coordination-')), 'plan.json');
    const action = { do: 'drive', vehicle: 'v', from: 'A', to: 'B', start: '9', end: '9:10' };
    writeFileSync(
      file,
      JSON.stringify({ schema: 'alas-coordination/plan@1', problem: 'wedding', actions: [action] }),
    );
    const { code, stderr } = await cli(['validate', 'wedding', file]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `alas-coordination: ${file}:$.actions[0].start: this is "9"; give a clock time such as 14:05 or 2:05 PM\n`,
    );
  });
});

describe('alas-coordination list and show', () => {
  it('lists all problems and plans', async () => {
    const { problems: listed } = JSON.parse((await cli(['list', '--json'])).stdout);
    expect(listed.map(({ problem }: { problem: string }) => problem)).toEqual(
      bundledNames('problems'),
    );
    const { stdout } = await cli(['list', 'plans', '--format', 'csv']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1 + bundledNames('plans').length);
  });

  it.each(bundledNames('problems'))('shows %s', async (name) => {
    const { code, stdout } = await cli(['show', name, '--format', 'table']);
    expect(code).toBe(0);
    expect(stdout).toContain('Decided here, as the source does not say it:');
    expect(stdout).not.toMatch(/undefined|NaN|Infinity|\[object/);
  });

  it('shows a problem in JSON as its file states it', async () => {
    const { name, people } = JSON.parse((await cli(['show', 'wedding', '--json'])).stdout);
    expect(name).toBe('wedding');
    expect(people).toHaveLength(4);
  });
});

describe('alas-coordination schema', () => {
  it.each([
    ['problem', 'problems'],
    ['plan', 'plans'],
    ['events', 'events'],
  ] as const)('prints a schema that every bundled %s keeps to', async (kind, kinds) => {
    const { stdout } = await cli(['schema', kind]);
    const accepts = new Ajv2020({ strict: false }).compile(JSON.parse(stdout));
    const folder = new URL(`../../${kinds}/`, import.meta.url);
    for (const name of bundledNames(kinds)) {
      const file = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
      expect(accepts(file), name).toBe(true);
      expect(accepts({ ...file, speed: 3 })).toBe(false);
    }
  });
});

describe('alas-coordination import', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'realm-'));
  const put = (dir: string, name: string, value: unknown) => {
    writeFileSync(join(dir, name), JSON.stringify(value));
    return join(dir, name);
  };

  it('writes problems that it can show, and refuses the rest in one line each', async () => {
    const dir = folder();
    const disruptions = [{ type: 'accident', location: 'mill', start_time: 9, duration: 20 }];
    const rides = put(dir, 'rides.json', ridesInstance({ disruptions }));
    const wedding = put(dir, 'wedding.json', weddingInstance);
    const out = join(dir, 'out');
    const { code, stdout, stderr } = await cli([
      ...['import', 'realm', rides, wedding, '--out', out, '--format', 'table'],
    ]);
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(2, 4)).toEqual([
      expect.stringMatching(/own_rides +problem +2 +1 +1 +roundabout_roads$/),
      expect.stringMatching(/own_wedding +refused .*place_without_travel.*unsaid_goal$/),
    ]);
    expect(stderr).toContain('1 problem made, 1 instance refused');
    expect(readdirSync(out)).toEqual(['own_rides.events.json', 'own_rides.json']);
    expect((await cli(['show', join(out, 'own_rides.json'), '--quiet'])).code).toBe(0);
  });

  it('writes what it can read among files that it cannot, and names each of these', async () => {
    const dir = folder();
    const rides = put(dir, 'rides.json', ridesInstance());
    const others = [
      put(dir, 'p1.json', { instance_id: 'p1', stops: [] }),
      put(dir, 'bad.json', ridesInstance({ vehicles: [{ vehicle_id: 7 }] })),
      put(dir, 'again.json', ridesInstance()),
      join(dir, 'missing.json'),
    ];
    writeFileSync(join(dir, 'broken.json'), '{');
    const out = join(dir, 'out');
    const files = [...others.slice(0, 2), rides, ...others.slice(2), join(dir, 'broken.json')];
    const last = put(dir, 'last.json', ridesInstance({ instance_id: 'last_rides' }));
    const { code, stdout, stderr } = await cli([
      ...['import', 'realm', ...files, last, '--out', out, '--json'],
    ]);
    expect(code).toBe(1);
    expect(readdirSync(out)).toEqual(['last_rides.json', 'own_rides.json']);
    expect(stderr).toContain('2 problems made, 5 instances refused');
    for (const [name, reason] of [
      ['p1.json', 'it has neither ride_requests nor guests nor family_members'],
      ['bad.json', '$.vehicles[0].vehicle_id: this is 7'],
      ['again.json', 'own_rides.json is made of'],
      ['missing.json', ''],
      ['broken.json', ''],
    ]) {
      expect(stderr).toMatch(new RegExp(`refused: .*/${name.replace('.', '[.]')}:`));
      expect(stderr).toContain(reason);
      const found = JSON.parse(stdout).instances.find(({ name: file }: { name: string }) =>
        file.endsWith(`/${name}`),
      );
      expect(found.refused[0].message).toContain(reason);
    }
  });

  it('ends with bad input if no file can be read, and says where each is wrong', async () => {
    const bad = put(folder(), 'bad.json', ridesInstance({ vehicles: [{ vehicle_id: 7 }] }));
    const { code, stderr } = await cli(['import', 'realm', bad]);
    expect(code).toBe(2);
    expect(stderr).toContain('bad.json:$.vehicles[0].vehicle_id: this is 7');
  });

  it('refuses an instance whose name gives the file of the events of another', async () => {
    const dir = folder();
    const disruptions = [{ type: 'accident', location: 'mill', start_time: 9, duration: 20 }];
    const first = put(dir, 'one.json', ridesInstance({ disruptions }));
    const second = put(dir, 'two.json', ridesInstance({ instance_id: 'own_rides.events' }));
    const { code, stderr } = await cli(['import', 'realm', first, second]);
    expect(code).toBe(1);
    expect(stderr).toContain('own_rides.events.json is made of');
  });
});

it('has help for each command', async () => {
  const { stdout } = await cli(['--help']);
  for (const name of ['validate', 'list', 'show', 'schema', 'import', 'papers']) {
    expect(stdout).toContain(name);
    const help = await cli([name, '--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Examples:');
  }
});
