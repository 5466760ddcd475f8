import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the program of docs/shop.md prints what its comments say', () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/shop.md', 'utf8')) ?? [];
  const flags = ['--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  expect(stderr).toBe('');
  const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
  expect(stdout.trim().split('\n')).toEqual(said);
  expect(said).toHaveLength(3);
});
