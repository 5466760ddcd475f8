import { describe, expect, it } from 'vitest';
import { SETTING_GROUPS } from '../../src/harness/run/setting.js';
import { cli } from './cli.js';

/** The help of a command and of all that it lists, by command line. */
async function helpsOf(path: readonly string[]): Promise<[string, string][]> {
  const { stdout } = await cli([...path, '--help']);
  const listed = stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
  const more = names.filter((name) => name !== 'help').map((name) => helpsOf([...path, name]));
  return [[path.join(' '), stdout], ...(await Promise.all(more)).flat()];
}

const helps = await helpsOf([]);

it('there is help for every command and the commands of commands', () => {
  const names = helps.map(([name]) => name);
  expect(names).toContain('optimize');
  expect(names).toContain('generate random');
  expect(names).toContain('log restore');
  expect(names).toContain('workflow blueprint');
});

describe.each(helps)('the help of alas-jssp %s', (_, help) => {
  it('has defaults and choices in words', () => {
    const extras = help.replaceAll(/\n +/g, ' ').match(/\((choices|default)[^)]*\)/g) ?? [];
    for (const extra of extras) expect(extra).not.toMatch(/["[\]{}]|true|false|null|=>|: \)/);
  });

  it('says what each option is in a plain sentence', () => {
    const groups = help.split('\n\n').filter((part) => /^[A-Z][^\n]*:\n {2}-/.test(part));
    const options = groups.flatMap((group) => group.split(/\n(?= {2}-)/).slice(1));
    expect(options.length).toBeGreaterThan(0);
    for (const option of options)
      expect(option).toMatch(/^ {2}-\S.*?( {2,}|\n +)(?!what |who )\w/i);
  });

  it('fits 80 columns', () => {
    for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });
});

it('the options of run are in groups', async () => {
  const { stdout } = await cli(['run', '--help']);
  const headings = [...stdout.matchAll(/^(\S[^\n]*:)\n {2}-/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.values(SETTING_GROUPS));
});

it.each([
  ['validate', 'verify is for certificates'],
  ['verify', 'validate is for plans'],
  ['plan', 'optimize searches on'],
  ['report', 'with --paper in the tables of the ALAS paper'],
])('the first line of %s distinguishes it from similar commands', async (command, words) => {
  const { stdout } = await cli([command, '--help']);
  expect(stdout.split('\n\n')[1].replaceAll('\n', ' ')).toContain(words);
});
