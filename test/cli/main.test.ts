import { describe, expect, it } from 'vitest';
import { cli } from './cli.js';

const commands = ['run', 'compare', 'validate', 'verify', 'plan', 'list', 'show', 'generate'];

describe('alas-jssp', () => {
  it('lists every command in its help', async () => {
    const { code, stdout } = await cli(['--help']);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  });

  it.each([...commands, 'generate taillard', 'generate random'])(
    'has help with examples for %s',
    async (command) => {
      const { code, stdout } = await cli([...command.split(' '), '--help']);
      expect(code).toBe(0);
      if (command !== 'generate') expect(stdout).toMatch(/Examples?.*:\n {2}\$ alas-jssp/);
    },
  );

  it.each([
    [['--nonsense'], "error: unknown option '--nonsense'"],
    [['validat', 'ft06'], "error: unknown command 'validat'\n(Did you mean validate?)"],
    [['show'], "error: missing required argument 'instance'"],
    [['generate', 'taillard'], "error: required option '--jobs <n>' not specified"],
    [
      ['show', 'ta81'],
      'alas-jssp: no suite, instance, file or directory is called "ta81"; did you mean ta01, ta11, ta21?',
    ],
    [
      ['plan', 'ft06', '--planner', 'dispatch:sptt'],
      "alas-jssp: there is no dispatching rule 'sptt'; use one of spt, lpt, mwkr",
    ],
    [
      ['run', '--workers', '0'],
      "error: option '--workers <count>' argument '0' is invalid. a count is a whole number, 1 or more.",
    ],
    [
      ['run', '--fail-on', 'gap>+1', '--suite', 'ft'],
      "alas-jssp: the limit 'gap>+1' is relative to a baseline, and there is none; name one with --baseline, or leave out the sign",
    ],
    [
      ['compare', 'nowhere', 'nowhere'],
      'alas-jssp: nowhere/manifest.json: the manifest of the run cannot be read',
    ],
  ])('answers wrong usage with exit code 2 and a line that helps: %s', async (args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
