import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FORBIDDEN = /\bMath\s*\.\s*random\b|\bDate\s*\.\s*now\b|\bnew\s+Date\b|\bconsole\b/;

/** The code of a file without its comments, which may speak of anything. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

// The linter forbids names, but not the members of a name that is otherwise allowed.
test('chance, the clock and the console are out of reach outside of core and cli', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/^(core|cli)\b/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => FORBIDDEN.test(codeOf(join('src', file))))).toEqual([]);
  expect(FORBIDDEN.test('const x = Math.random();')).toBe(true);
});
