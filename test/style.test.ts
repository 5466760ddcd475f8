import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it, test } from 'vitest';
import {
  bare,
  isFunction,
  nodesWithin,
  ownLines,
  type SyntaxNode,
  statementsIn,
} from './syntax.js';

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

const KERNELS = [join('search', 'kernel', '/'), join('search', 'flexible', 'kernel', '/')];

/** The TypeScript of a folder, and what every file holds, without AssemblyScript's kernels. */
function sourcesOf(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !KERNELS.some((kernel) => file.startsWith(kernel)))
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')]),
  );
}

/** The folders of sources: the root's and each package's, except for the lab, which is never published. */
const FOLDERS = [
  'src',
  ...globSync('packages/*/src', {
    ignore: 'packages/lab/**',
    onlyDirectories: true,
    expandDirectories: false,
  }),
];

/** Names of types that mean the same in each file: the props of its component, the options of its command. */
const EACH_FILE_HAS = ['Props', 'Options'];

/** The type that a statement declares, exported or not. */
function declaredType(statement: SyntaxNode): string | null {
  const { type, id } = (statement.declaration as SyntaxNode | null | undefined) ?? statement;
  const isType = /^(TSInterface|TSTypeAlias|TSEnum|Class)Declaration$/.test(type);
  return isType ? (id as { name: string }).name : null;
}

test('the lines of a function and spread literals are found', () => {
  const text = 'const f = () => {\n  g(() => {\n    h();\n    h();\n  });\n};\n';
  const [statement] = statementsIn('a.ts', text);
  const lines = [...nodesWithin(statement)].filter(isFunction).map((one) => ownLines(text, one));
  expect(lines).toEqual([4, 4]);
  const spread = statementsIn('a.ts', "f(...(['a', 'b'] as const), ...c, ...(d ? [1] : []));");
  expect(spread.flatMap(spreadLiterals)).toHaveLength(1);
});

/** Literals that are spread although their entries could be written in their place. */
function spreadLiterals(statement: SyntaxNode): SyntaxNode[] {
  return [...nodesWithin(statement)].filter(
    ({ type, argument }) =>
      type === 'SpreadElement' &&
      /^(Object|Array)Expression$/.test(bare(argument as SyntaxNode).type),
  );
}

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
      // The façade wraps others, and these modules replace others.
      if (file === 'index.ts' || file.startsWith('browser/without-node/')) continue;
      for (const [, name] of text.matchAll(DECLARED)) {
        filesOf.set(name, [...new Set([...(filesOf.get(name) ?? []), file])]);
      }
    }
    const twice = Array.from(filesOf).filter(([, files]) => files.length > 1);
    expect(Object.fromEntries(twice)).toEqual({});
  });

  const statements = Array.from(sources).flatMap(([file, text]) =>
    statementsIn(file, text).map((statement) => ({ file, text, statement })),
  );

  it('has functions of 80 lines at most, without those of the functions in them', () => {
    const long = statements.flatMap(({ file, text, statement }) =>
      [...nodesWithin(statement)]
        .filter(isFunction)
        .filter((one) => ownLines(text, one) > 80)
        .map(({ start }) => `${file}:${text.slice(0, start).split('\n').length}`),
    );
    expect(long).toEqual([]);
  });

  it('has types, exported or not, whose names mean something else nowhere', () => {
    const filesOf = new Map<string, string[]>();
    for (const { file, statement } of statements) {
      const name = declaredType(statement);
      if (name === null || EACH_FILE_HAS.includes(name)) continue;
      filesOf.set(name, [...new Set([...(filesOf.get(name) ?? []), file])]);
    }
    const twice = Array.from(filesOf).filter(([, files]) => files.length > 1);
    expect(Object.fromEntries(twice)).toEqual({});
  });

  it('has no literals that are spread only to save lines', () => {
    const spread = statements.flatMap(({ file, text, statement }) =>
      spreadLiterals(statement).map(({ start, end }) => `${file}: ${text.slice(start, end)}`),
    );
    expect(spread).toEqual([]);
  });

  it('has comments that begin with the thing they describe', () => {
    const riddles = Array.from(sources).flatMap(([file, text]) =>
      Array.from(text.matchAll(/\/\*\*(?:\s|\*)*What\b.*/g), ([comment]) => `${file}: ${comment}`),
    );
    expect(riddles).toEqual([]);
  });
});
