import { spawnSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bin, cli, cliProcess, temporaryDirectory } from './cli.js';

const commands = [
  'run',
  'compare',
  'report',
  'validate',
  'verify',
  'plan',
  'optimize',
  'list',
  'show',
  'generate',
];

describe('alas-jssp', () => {
  it('lists every command in its help', async () => {
    const { code, stdout } = await cli(['--help']);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} +\\w`, 'm'));
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await cli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([...commands, 'generate taillard', 'generate random'])(
    'has help with examples for %s that fits 80 columns',
    async (command) => {
      const { code, stdout } = await cli([...command.split(' '), '--help']);
      expect(code).toBe(0);
      if (command !== 'generate') expect(stdout).toMatch(/Examples?.*:\n {2}\$ alas-jssp/);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      expect((await cli(['help', ...command.split(' ')])).stdout).toBe(stdout);
    },
  );

  it.each([
    [['--nonsense'], "unknown option '--nonsense'; see alas-jssp --help"],
    [['validat', 'ft06'], "there is no command 'validat'; did you mean validate?"],
    [['xyzzy'], "there is no command 'xyzzy'; use one of run, compare, report, paper, validate,"],
    [
      ['list', 'foo'],
      "argument 'foo' is invalid: allowed choices are suites, instances, planners;",
    ],
    [['run', '--suit', 'ft'], "unknown option '--suit'; did you mean --suite?"],
    [['log', 'foo'], "unknown command 'foo'; see alas-jssp log --help"],
    [['show'], "missing required argument 'instance'; see alas-jssp show --help"],
    [
      ['generate', 'taillard'],
      "required option '--jobs <n>' not specified; see alas-jssp generate taillard --help",
    ],
    [
      ['show', 'ta81'],
      'no suite, instance, file or directory is called "ta81"; did you mean ta01, ta11, ta21?',
    ],
    [
      ['plan', 'ft06', '--planner', 'dispatch:sptt'],
      "no dispatching rule 'sptt'; did you mean spt",
    ],
    [['plan', 'ft06', '--planner', 'dispatch:bst'], "'bst'; did you mean best"],
    [['plan', 'ft06', '--planner', 'insertoin'], "no planner 'insertoin'; did you mean insertion?"],
    [
      ['run', '--workers', '0'],
      "option '--workers <count>' argument '0' is invalid: use a whole number of at least 1; see",
    ],
    [
      ['list', '--format', 'xml'],
      "option '--format <format>' argument 'xml' is invalid: allowed choices are table, json, csv, md, latex;",
    ],
    [['list', '--format', 'csv', '--json'], '--json cannot be used with --format csv;'],
    [
      ['log', 'tail', 'x', '--format', 'text', '--json'],
      '--json cannot be used with --format text',
    ],
    [['list', 'suites', '--suite', 'ft'], '--suite has no meaning for a list of suites; omit it'],
    [['run', '--out', 'x', '--no-out'], '--out cannot be used with --no-out;'],
    [['run', '--no-out', '--out', 'x'], '--out cannot be used with --no-out;'],
    [['run', '--resume', 'x', '--out', 'y'], "'--resume <dir>' cannot be used with option '--out"],
    [['run', '--resume', 'x', '--no-out'], "'--resume <dir>' cannot be used with option '--no-out"],
    [
      ['run', '--fail-on', 'gap>+1', '--suite', 'ft'],
      "the limit 'gap>+1' is relative to a baseline, and there is none; name one with --baseline, or leave out the sign",
    ],
    [['run', '--record', '', '--no-out'], "option '--record <dir>' has an empty name; see"],
    [['report', 'results', ''], "argument 'runs' has an empty name; see alas-jssp report --help"],
    [['validate', 'ft06', ''], "argument 'plan' has an empty name; see alas-jssp validate --help"],
    [['run', '--suite', 'ft06', '--log', ''], "option '--log <file>' has an empty name; see"],
    [['compare', 'nowhere', 'nowhere'], 'there is no run in nowhere; name the directory of a run'],
  ])('answers wrong usage with exit code 2 and one line that helps: %s', async (args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect(stderr).toMatch(/^alas-jssp: .+\n$/);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('the exit code', () => {
  const faulty = () => {
    const file = join(temporaryDirectory(), 'plan.json');
    writeFileSync(file, '{ "entries": [] }');
    return ['validate', 'ft06', file];
  };

  it('stays "no" if the reader of stdout is gone', async () => {
    expect((await cliProcess([...faulty(), '--json'], { closed: 'stdout' })).code).toBe(1);
    expect((await cli(['run', '--suite', 'ft', '--no-out'], { closed: 'stdout' })).code).toBe(0);
    const limits = ['--fail-on', 'gap>0'];
    const gate = ['run', '--suite', 'ft10', '--no-out', ...limits];
    expect((await cli(gate, { closed: 'stdout' })).code).toBe(1);
  });

  it('does not depend on stderr either', async () => {
    expect((await cliProcess(faulty(), { closed: 'stderr' })).code).toBe(1);
    const outcome = await cli(['run', '--suite', 'ft', '--no-out'], { closed: 'stderr' });
    expect(outcome.code).toBe(0);
    expect(outcome.stdout.trim().split('\n')).toHaveLength(1 + 3);
  });

  it.each([
    ['ends the process', 'process.exit(0)'],
    ['ends the process with another code', 'process.exit(3)'],
    ['never settles its promise', 'return new Promise(() => {})'],
  ])('is 2, with a message, when a planner %s', async (_, body) => {
    const file = join(temporaryDirectory(), 'planner.mjs');
    writeFileSync(file, `export function planner() { ${body} }`);
    const { code, stdout, stderr } = await cliProcess([
      'plan',
      'ft06',
      '--planner',
      `module:${file}`,
    ]);
    expect(stderr).toMatch(/^alas-jssp: the process ended before the command was done; .+\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it.runIf(process.platform === 'linux')('is 2, without praise before, on a full disk', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [bin, 'plan', 'ft06'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      'alas-jssp: stdout: the output cannot be written (ENOSPC); free space, or write it elsewhere\n',
    );
    expect(status).toBe(2);
  });
});
