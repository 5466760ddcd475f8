import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it, test } from 'vitest';

const FORBIDDEN = /\bMath\s*\.\s*random\b|\bDate\s*\.\s*now\b|\bnew\s+Date\b|\bconsole\b/;

/** The code of a file without its comments, which may speak of anything. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

// The linter forbids names, but not the members of a name that is otherwise allowed.
test('chance, the clock and the console are out of reach outside of core and cli', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/^(core|cli)\b/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => FORBIDDEN.test(codeOf(join('src', file))))).toEqual([]);
  expect(FORBIDDEN.test('const x = Math.random();')).toBe(true);
});

/** The TypeScript of a folder, and what every file holds, without AssemblyScript's kernel. */
function sourcesOf(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith(join('search', 'kernel', '/')))
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')]),
  );
}

/** The folders of sources: the root's and each package's, except for the lab, which is never published. */
const FOLDERS = [
  'src',
  ...globSync('packages/*/src', { ignore: 'packages/lab/**', onlyDirectories: true }),
];

describe.each(FOLDERS)('a file of %s', (folder) => {
  const sources = sourcesOf(folder);

  it('has 450 lines at most', () => {
    const long = Array.from(sources)
      .filter(([, text]) => !text.startsWith('// Made by '))
      .filter(([, text]) => text.split('\n').length > 451);
    expect(long.map(([file]) => file)).toEqual([]);
  });

  it('has names that mean something else nowhere', () => {
    const filesOf = new Map<string, string[]>();
    const DECLARED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
    for (const [file, text] of sources) {
      // The façade wraps others.
      if (file === 'index.ts') continue;
      for (const [, name] of text.matchAll(DECLARED)) {
        filesOf.set(name, [...new Set([...(filesOf.get(name) ?? []), file])]);
      }
    }
    const twice = Array.from(filesOf).filter(([, files]) => files.length > 1);
    expect(Object.fromEntries(twice)).toEqual({});
  });

  it('has comments that begin with the thing they describe', () => {
    const riddles = Array.from(sources).flatMap(([file, text]) =>
      Array.from(text.matchAll(/\/\*\*(?:\s|\*)*What\b.*/g), ([comment]) => `${file}: ${comment}`),
    );
    expect(riddles).toEqual([]);
  });
});
