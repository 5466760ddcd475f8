import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from '../src/diff.js';

/** Applies a unified diff the way `patch` does, without leeway. */
function patch(text: string, diff: string): string {
  const old = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  const lines = diff.split('\n').slice(2, -1);
  lines.forEach((line, index) => {
    const range = /^@@ -(\d+),(\d+) /.exec(line);
    if (range !== null) {
      const start = Number(range[1]) - (range[2] === '0' ? 0 : 1);
      result.push(...old.slice(at, start));
      at = start;
      return;
    }
    if (line.startsWith('\\')) return;
    const content = line.slice(1) + (lines[index + 1]?.startsWith('\\') ? '' : '\n');
    if (line[0] !== '+') expect(old[at++]).toBe(content);
    if (line[0] !== '-') result.push(content);
  });
  return [...result, ...old.slice(at)].join('');
}

const texts = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a', '@\n'), { maxLength: 30 })
  .map((lines) => lines.join(''));

it('turns the old text into the new one', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const diff = unifiedDiff('a/x', 'b/x', a, b);
      if (a === b) expect(diff).toBe('');
      expect(patch(a, diff)).toBe(b);
    }),
    { numRuns: 500 },
  );
});

it('is as short as can be and has three lines of context', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `${i}\n`);
  const changed = lines.with(3, 'x\n').toSpliced(16, 1);
  expect(unifiedDiff('a/x', 'b/x', lines.join(''), changed.join(''))).toBe(
    [
      '--- a/x',
      '+++ b/x',
      '@@ -1,7 +1,7 @@',
      ...[' 0', ' 1', ' 2', '-3', '+x', ' 4', ' 5', ' 6'],
      '@@ -14,7 +14,6 @@',
      ...[' 13', ' 14', ' 15', '-16', ' 17', ' 18', ' 19', ''],
    ].join('\n'),
  );
});

it('gives up looking for the shortest in texts that have little in common', () => {
  const text = (from: number) => Array.from({ length: 1500 }, (_, i) => `${from + i}\n`).join('');
  const diff = unifiedDiff('a/x', 'b/x', text(0), text(9000));
  expect(patch(text(0), diff)).toBe(text(9000));
});
