import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../cli/cli.js';
import { shell } from '../../cli/shell.js';

test('the program of docs/how-to/shop.md prints what its comments say', () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/how-to/shop.md', 'utf8')) ?? [];
  const flags = ['--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  expect(stderr).toBe('');
  const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
  expect(stdout.trim().split('\n')).toEqual(said);
  expect(said).toHaveLength(3);
});

test('the story of docs/how-to/shop.md is what its commands print', async () => {
  const document = readFileSync('docs/how-to/shop.md', 'utf8').split('## What happens')[0];
  const [, block] = /```sh\n([\s\S]*?)```/.exec(document) ?? [];
  const [, story] = /```text\n([\s\S]*?)```/.exec(document) ?? [];
  const commands = block.replaceAll(/\\\n\s*/g, '').split('\n');
  const cwd = temporaryDirectory();
  const printed: string[] = [];
  for (const command of commands.slice(0, 3)) printed.push((await shell(command, cwd)).stdout);
  expect(commands[2]).toBe('npx alas-jssp log show shop.db');
  expect(printed[2]).toBe(story);
  expect(story.split('\n').length).toBeGreaterThan(9);
});
