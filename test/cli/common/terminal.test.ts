import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../cli.js';

const cwd = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** Commands with a table, each a line of words. */
const commands = [
  'list',
  'list instances --suite yn',
  'list planners',
  'show ft06',
  'plan ft06',
  'optimize ft06 --budget 1k-iterations',
  'optimize due.json --objective total-weighted-tardiness --budget 200-iterations',
  'repair ft06 plan.json',
  'repair ft06 plan.json --event breakdown:machine=3,from=20,to=30',
  'repair ft06 plan.json --event breakdown:machine=3,from=20,to=30 --explain',
  'repair ft06 plan.json --event breakdown:machine=3,from=12,to=13 --explain',
  'report run',
  'report run --paper',
  'compare run run --planner insertion --baseline-planner dispatch:mwkr',
  'compare run run --fail-on gap>0',
  'log show run.db',
  'log show run.db --run ft06__insertion__full__0',
];

beforeAll(async () => {
  await cli(['plan', 'ft06', '--planner', 'insertion', '--out', 'plan.json'], { cwd });
  const shop = ['random', '--jobs', '5', '--machines', '4', '--due-tightness', '1.3'];
  await cli(['generate', ...shop, '--out', 'due.json'], { cwd });
  const planners = ['--planner', 'insertion', '--planner', 'dispatch:mwkr'];
  const how = ['--optimize', '100-iterations', '--log', 'run.db', '--out', 'run'];
  await cli(['run', '--suite', 'ft06,la01', ...planners, ...how], { cwd });
}, 120_000);

describe('a terminal', () => {
  it.each(commands)('of 60 or 80 columns is wide enough for: %s', async (command) => {
    for (const terminal of [60, 80]) {
      const { code, stdout } = await cli(command.split(' '), { cwd, terminal });
      expect(code, stdout).not.toBe(2);
      // The rule below the header is as wide as its table.
      const lines = plain(stdout).split('\n');
      const longest = Math.max(
        ...lines.map((line) => (/^(─|left out)/.test(line) ? line.length : 0)),
      );
      expect(longest, `${terminal} columns:\n${stdout}`).toBeLessThanOrEqual(terminal);
    }
  });

  it('that reports no columns counts as one of 80', async () => {
    const none = await cli(['report', 'run'], { cwd, terminal: 0 });
    const eighty = await cli(['report', 'run'], { cwd, terminal: 80 });
    expect(none.stdout).toBe(eighty.stdout);
    expect(plain(none.stdout)).toMatch(/\nleft out: .{50,}\n/);
    const help = await cli(['--help'], { cwd, terminal: 0 });
    expect(help.stdout).toBe((await cli(['--help'], { cwd, terminal: 80 })).stdout);
  });
});

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  return text.replace(/\x1b\[\d+m/g, '');
}
