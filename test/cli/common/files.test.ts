import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bin, cli, temporaryDirectory } from '../cli.js';

const size = ['--jobs', '3', '--machines', '2'];

/** A directory with a plan of ft06, its certificate, and a subdirectory. */
async function prepared() {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, 'sub'));
  mkdirSync(join(cwd, 'broken'));
  writeFileSync(join(cwd, 'broken', 'manifest.json'), '{\n\u0007\n}\n');
  await cli(['plan', 'ft06', '--out', 'plan.json'], { cwd });
  return cwd;
}

describe('files that cannot be used', () => {
  it.each([
    ['plan ft06 --out sub', 'sub: this is a directory; name a file inside it'],
    ['plan ft06 --out no/p.json', 'no/p.json: its directory does not exist; make the directory'],
    ['plan ft06 --out plan.json/p.json', 'plan.json/p.json: its directory is a file; name another'],
    [`generate random ${size.join(' ')} --out sub`, 'sub: this is a directory; name a file'],
    ['validate ft06 plan.json --certificate sub', 'sub: this is a directory; name a file'],
    ['validate ft06 missing.json', 'missing.json: there is no such file; check the path'],
    ['verify missing.json', 'missing.json: there is no such file; check the path'],
    ['verify sub', 'sub: this is a directory; name a file inside it'],
    ['verify ', "argument 'certificate' has an empty name; see"],
    ['plan ft06 --out ', 'the name of the file to write is empty; name one'],
    ['optimize ft06 --out ', 'the name of the file to write is empty; name one'],
    ['optimize ft06 --trace ', 'the name of the file to write is empty; name one'],
    ['repair ft06 plan.json --out ', 'the name of the file to write is empty; name one'],
    [
      `generate random ${size.join(' ')} --out `,
      'the name of the file to write is empty; name one',
    ],
    ['validate ft06 plan.json --certificate ', 'the name of the file to write is empty; name one'],
    ['report broken', 'broken/manifest.json:2: "\\u0007" is not JSON here; give the manifest'],
    ['plan ft06 --planner a\u001b[31m\nb', "there is no planner 'a\\u001b[31m\\nb'; use one of"],
    ['list --suit\ne', "unknown option '--suit\\ne'; did you mean --suite?"],
    ['list --format a\n(b)', "argument 'a\\n(b)' is invalid: allowed choices are table,"],
  ])('are named with the problem and a hint: %s', async (line, message) => {
    const cwd = await prepared();
    const { code, stderr } = await cli(line.split(' '), { cwd });
    const [last, ...before] = stderr.trimEnd().split('\n').reverse();
    expect(last).toMatch(/^alas-jssp: \P{Cc}+$/u);
    expect(last).toContain(message);
    expect(before).toEqual([]);
    expect(code).toBe(2);
  });
});

it.runIf(process.platform === 'linux')(
  'a full disk is reported with the name of the file',
  async () => {
    const cwd = temporaryDirectory();
    mkdirSync(join(cwd, 'run'));
    symlinkSync('/dev/full', join(cwd, 'plan.json'));
    symlinkSync('/dev/full', join(cwd, 'run', 'summary.json'));
    const full = (file: string) =>
      `alas-jssp: ${file}: the disk is full; make room, or name a file on another disk\n`;
    const plan = await cli(['plan', 'ft06', '--out', 'plan.json'], { cwd });
    expect(plan).toMatchObject({ code: 2, stderr: full('plan.json') });
    const run = await cli(['run', '--suite', 'ft06', '--out', 'run', '--quiet'], { cwd });
    expect(run).toMatchObject({ code: 2, stderr: full('run/summary.json') });
  },
);

it.runIf(process.platform === 'linux')('a run that has no room leaves no lock behind', () => {
  const cwd = temporaryDirectory();
  const script = `
    ulimit -f 0
    node --import 'data:text/javascript,process.on("SIGXFSZ",()=>{})' "$0" run --suite ft06 --out run`;
  const { status, stderr } = spawnSync('bash', ['-c', script, bin], { cwd, encoding: 'utf8' });
  expect(stderr).toBe('alas-jssp: run/run.lock: it cannot be written (EFBIG); name another file\n');
  expect(status).toBe(2);
  expect(readdirSync(join(cwd, 'run'))).toEqual([]);
});

describe('the ending of an output file', () => {
  it('selects the format of a plan, in any case, compressed or not', async () => {
    const cwd = temporaryDirectory();
    const write = async (file: string, ...more: string[]) => {
      expect((await cli(['plan', 'ft06', '--out', file, ...more], { cwd })).code).toBe(0);
      expect((await cli(['validate', 'ft06', file], { cwd })).code).toBe(0);
      return readFileSync(join(cwd, file));
    };
    expect(String(await write('P.CSV'))).toMatch(/^job,step,machine/);
    expect(JSON.parse(String(await write('p.json')))).toHaveProperty('entries');
    expect(String(gunzipSync(await write('p.csv.gz')))).toMatch(/^job,step,machine/);
    expect(String(await write('p.txt', '--format', 'csv'))).toMatch(/^job,step,machine/);
  });

  it('selects the format of an instance', async () => {
    const cwd = temporaryDirectory();
    const write = (...more: string[]) => cli(['generate', 'random', ...size, ...more], { cwd });
    await write('--out', 'g.json.gz');
    const instance = JSON.parse(String(gunzipSync(readFileSync(join(cwd, 'g.json.gz')))));
    expect(instance.schema).toBe('alas-jssp/instance@1');
    for (const option of [['--json'], ['--format', 'json'], ['--as', 'json']]) {
      expect(JSON.parse((await write(...option)).stdout)).toEqual(instance);
    }
    const remark = await write('--out', 'g.txt');
    expect(remark.stderr).toBe('random_3x2_0: 3 jobs, 2 machines, 6 operations, in g.txt\n');
    expect((await write('--out', 'g.txt', '--quiet')).stderr).toBe('');
  });

  it('must agree with the format that is asked for', async () => {
    const cwd = temporaryDirectory();
    for (const line of [
      'plan ft06 --out p.csv --format json',
      'plan ft06 --out p.csv --json',
      'plan ft06 --out p.json --format csv',
      `generate random ${size.join(' ')} --out g.json --format standard`,
    ]) {
      const { code, stderr } = await cli(line.split(' '), { cwd });
      expect(stderr).toMatch(/^alas-jssp: [pg]\.\w+: .* is not written .*; omit --format.*\n$/);
      expect(code).toBe(2);
    }
  });
});

describe('stdin', () => {
  it('is where validate finds a plan called -', async () => {
    const plan = (await cli(['plan', 'ft06', '--json'])).stdout;
    expect((await cli(['validate', 'ft06', '-'], { input: plan })).code).toBe(0);
    const bad = await cli(['validate', 'ft06', '-'], {
      input: 'job,step,machine,start,end\n1,x\n',
    });
    expect(bad.stderr).toContain('alas-jssp: stdin:2');
  });

  it('may hold nothing', async () => {
    const { code, stderr } = await cli(['validate', 'ft06', '-']);
    expect(stderr).toBe('alas-jssp: stdin: the file is empty; give a file with content\n');
    expect(code).toBe(2);
  });
});

describe('a compressed certificate', () => {
  it('is read like any other', async () => {
    const cwd = await prepared();
    await cli(['validate', 'ft06', 'plan.json', '--certificate', 'c.json.gz'], { cwd });
    expect(readFileSync(join(cwd, 'c.json.gz'))[0]).toBe(0x1f);
    expect((await cli(['verify', 'c.json.gz'], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, 'c.json'), gunzipSync(readFileSync(join(cwd, 'c.json.gz'))));
    expect((await cli(['verify', 'c.json'], { cwd })).code).toBe(0);
  });
});
