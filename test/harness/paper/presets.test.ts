import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/commands.js';
import {
  type PaperItem,
  type PaperSetup,
  statusOf,
} from '../../../src/harness/paper/presets/paper-item.js';
import { findItems, PAPER_ITEMS } from '../../../src/harness/paper/presets/presets.js';

/** The tables and figures that the papers print. */
const PRINTED = {
  alas: { table: 33, figure: 8 },
  sagallm: { table: 10, figure: 5 },
};

const files: string[] = [];
const setup: PaperSetup = {
  planners: ['MODEL'],
  out: 'out',
  runs: 'runs',
  threads: 10,
  suite: 'paper',
  limits: [],
  file: (path) => {
    files.push(path);
    return path;
  },
};

/** All commands of a row. */
function commandsOf({ keyless, asking }: PaperItem) {
  return [...(keyless?.(setup) ?? []), ...(asking?.(setup) ?? [])];
}

it('the page on reproducing the papers lists each row with its title, kind and status', () => {
  const page = readFileSync(new URL('../../../docs/reproduce.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| ((?:alas|sagallm)\/\S+) \| (.*?) \| (\w+) \| (.*?) \|/gm)];
  const rows = PAPER_ITEMS.map((item) => [item.id, item.title, item.kind, statusOf(item)]);
  expect(listed.map(([, ...cells]) => cells)).toEqual(rows);
});

it('every table and figure of both papers has one row', () => {
  const expected = Object.entries(PRINTED).flatMap(([paper, counts]) =>
    Object.entries(counts).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, i) => `${paper}/${kind}-${i + 1}`),
    ),
  );
  const ids = PAPER_ITEMS.map(({ id }) => id);
  expect(ids.filter((id) => !id.endsWith('/study')).toSorted()).toEqual(expected.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(PAPER_ITEMS.map((item) => [item.id, item] as const))('the row %s', (_, item) => {
  it('says what it shows, and has commands if it can be reproduced', () => {
    expect(item.title).toMatch(/^[A-Z].*[^.]$/);
    expect(item.note).toMatch(/^[A-Z].*\.$/);
    expect(commandsOf(item).length > 0).toBe(statusOf(item) !== 'not');
    expect(item.seconds !== undefined).toBe(item.keyless !== undefined);
    expect(item.experiments !== undefined).toBe(item.asking !== undefined);
    if (item.inPart) expect(item.keyless).toBeDefined();
  });

  it('has commands that exist, and files that come with the project', () => {
    for (const { program, words } of commandsOf(item)) {
      if (program === 'alas-jssp') expect(Object.keys(commands)).toContain(words[0]);
    }
    for (const file of files) expect(existsSync(file), file).toBe(true);
  });
});

it('rows are found by id, by paper and together', () => {
  expect(findItems(['alas/table-3']).map(({ id }) => id)).toEqual(['alas/table-3']);
  expect(findItems(['sagallm', 'sagallm/table-1'])).toHaveLength(15);
  expect(findItems(['all'])).toHaveLength(PAPER_ITEMS.length);
  expect(() => findItems(['alas/table-34'])).toThrow(/no paper has a row 'alas\/table-34'/);
});
