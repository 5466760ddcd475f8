import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The paths in the rows of tables, in the columns of code (the last but one) and tests (the last). */
const cited = readFileSync(`${root}docs/design/papers.md`, 'utf8')
  .split('\n')
  .filter((line) => /^\| .*`/.test(line))
  .flatMap((line) => {
    const cells = line.split(' | ').slice(-2);
    return cells.flatMap((cell, k) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => {
        const isWhole = /^(src|test|examples|packages)\//.test(path);
        return isWhole ? path : `packages/workflow/${k === 0 ? 'src' : 'test'}/${path}`;
      }),
    );
  });

test('what the table of the papers cites is there', () => {
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter((path) => !existsSync(root + path))).toEqual([]);
});

test('the tests that are said to hold the promises are there', () => {
  const page = readFileSync(`${root}docs/reference/saga.md`, 'utf8');
  const [, promises = ''] = /## What is promised\n(.*?)\n## /s.exec(page) ?? [];
  const names = Array.from(promises.matchAll(/`([\w/-]+\.test\.ts)`/g), ([, name]) => name);
  const paths = names.map((name) =>
    name.includes('/') ? name : `packages/workflow/test/promises/${name}`,
  );
  expect(paths.filter((path) => !existsSync(root + path))).toEqual([]);
  const held = readdirSync(`${root}packages/workflow/test/promises`).filter((name) =>
    /\.test\.ts$/.test(name),
  );
  expect(held.filter((name) => !names.includes(name))).toEqual([]);
});

test('each cell of the engine tables links to a test that is there, by its title', () => {
  const page = readFileSync(`${root}docs/design/papers.md`, 'utf8');
  const [, tables = ''] = /## The engine tables of ALAS.*?\n(.*?)\n## /s.exec(page) ?? [];
  const links = Array.from(tables.matchAll(/\]\(\.\.\/\.\.\/([^ )]+\.test\.ts)(?: "([^"]*)")?\)/g));
  expect(links.length).toBeGreaterThan(50);
  const missing = links.filter(([, file, title = '']) => {
    const path = root + file;
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
  const rows = tables
    .split('\n')
    .filter((line) => /^\| (?!---|IR concept|Feature|Axis)/.test(line));
  const bare = rows.filter((line) =>
    line
      .split(' | ')
      .slice(-2)
      .every((cell) => !cell.includes('](')),
  );
  expect(bare).toEqual([]);
});
