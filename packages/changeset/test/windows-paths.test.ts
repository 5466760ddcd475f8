import { win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPath } from '../src/overlay.js';

const ROOT = 'C:\\work\\project';
const accepts = (path: string): string | undefined => {
  try {
    return cleanPath(path, 'win32');
  } catch {
    return undefined;
  }
};

describe('paths of a changeset on Windows', () => {
  it.each([
    '..\\secrets.txt',
    'a\\..\\..\\b',
    'C:evil.txt',
    'C:\\evil.txt',
    '\\\\server\\share\\a',
    'notes.txt:stream',
    'NUL',
    'a/con.txt',
    'a./b',
    'name ',
  ])('%j is refused there', (path) => {
    expect(accepts(path)).toBeUndefined();
  });

  it.each(['..\\secrets.txt', 'notes.txt:stream', 'NUL'])('%j is a name elsewhere', (path) => {
    expect(cleanPath(path, 'linux')).toBe(path);
  });

  it('lead below the root, to the file that the journal names', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', 'a', 'b.txt', 'C:', 'nul', 'x ', '\\', ''),
      fc.string({ maxLength: 4 }),
    );
    const paths = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(paths, (path) => {
        const clean = accepts(path);
        if (clean === undefined) return;
        const place = win32.resolve(ROOT, clean);
        expect(win32.relative(ROOT, place).replaceAll('\\', '/')).toBe(clean);
        expect(place.startsWith(`${ROOT}\\`)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
