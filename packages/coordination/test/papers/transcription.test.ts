import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatClock } from '../../src/model/clock.js';
import { bundledPlan, bundledProblem } from '../../src/papers/bundled.js';

const seeds = new URL('../../../../../shared/seeds/', import.meta.url);
const files = {
  alas: new URL('001_6bdaf2e2f97d9549.txt', seeds),
  sagallm: new URL('000_7f78d3042ba51918.txt', seeds),
};
const isThere = existsSync(files.alas) && existsSync(files.sagallm);

/** The times that a table prints, in the afternoon if they are before eight. */
function printedTimes(paper: keyof typeof files, table: string): Set<string> {
  const lines = readFileSync(files[paper], 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`Table ${table}:`));
  const rows = lines.slice(begin + 1).map((line) => line.split('\t')[0].replace(/^1 (\d:)/, '1$1'));
  const isRow = (text: string) => /^(~?\d{1,2}:\d\d|\(Before Noon\)|P OST )/.test(text);
  const first = rows.findIndex(isRow);
  const length = rows.slice(first).findIndex((text) => !isRow(text));
  const text = rows.slice(first, first + length).join('\n');
  const times = Array.from(text.matchAll(/(\d{1,2}):(\d\d)/g), ([, hours, minutes]) => {
    const hour = Number(hours) + (Number(hours) < 8 ? 12 : 0);
    return formatClock(60 * hour + Number(minutes));
  });
  return new Set(times);
}

/** Times at which something is in a plan or in its problem, or of which its notes say how they were read. */
function knownTimes(name: string): Set<string> {
  const plan = bundledPlan(name);
  const problem = bundledProblem(plan.problem);
  const told = (plan.notes ?? []).flatMap((note) => note.match(/\d\d:\d\d/g) ?? []);
  const windows = Array.from(problem.places.values()).flatMap(({ open }) => open ?? []);
  return new Set([
    ...told,
    ...[
      ...plan.actions.flatMap(({ start, end }) => [start, end]),
      ...Array.from(problem.people.values(), ({ from }) => from),
      ...windows.flatMap(({ earliest, latest }) => [earliest, latest]),
      ...problem.traffic.map(({ from }) => from),
    ]
      .filter(Number.isFinite)
      .map(formatClock),
  ]);
}

it.skipIf(!isThere).each([
  ['alas', '21', []],
  ['alas', '22', []],
  ['alas', '23', []],
  ['alas', '24', []],
  ['alas', '25', []],
  ['alas', '27', []],
  // James's delay becomes known.
  ['alas', '28', ['12:00']],
  // Alex gets into the car before Jamie.
  ['sagallm', '6', ['12:45']],
  ['sagallm', '7', []],
  ['sagallm', '8', []],
  ['sagallm', '9', []],
] as const)(
  'every time that %s prints in table %s is in the transcription, but for %j',
  (paper, table, but) => {
    const printed = printedTimes(paper, table);
    const known = knownTimes(`${paper}-table-${table}`);
    expect(printed.size).toBeGreaterThan(6);
    expect([...printed].filter((time) => !known.has(time))).toEqual(but);
  },
);
