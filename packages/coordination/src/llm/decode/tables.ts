import { type Role, type Row, roleOf } from './rows.js';
import { readTimes } from './times.js';

/** Minimum number of columns with a known meaning in the header of a CSV table. */
const LEAST_ROLES = 3;

type Splitter = (line: string) => string[] | null;

const splitters: readonly Splitter[] = [splitPipes, splitTabs];

/** The tables of a text (markdown or pipes, tabs, CSV with a header), each as rows. */
export function tablesOf(lines: readonly string[]): Row[][] {
  const tables: Row[][] = [];
  for (let at = 0; at < lines.length; ) {
    const end = Math.max(...[...splitters, ...csvAt(lines[at])].map((split) => take(split, at)));
    at = Math.max(end, at + 1);
  }
  return tables;

  /** Collects the lines from `at` on that a splitter accepts; returns the position after them. */
  function take(split: Splitter, at: number): number {
    const block: { cells: string[]; line: number }[] = [];
    let end = at;
    for (; end < lines.length; end++) {
      const cells = split(lines[end]);
      if (cells === null || cells.length < 2) break;
      if (!cells.every((cell) => /^[\s:=+-]*$/.test(cell))) block.push({ cells, line: end + 1 });
    }
    const [head] = block;
    if (head === undefined || block.length < 2) return at;
    const roles = head.cells.map(roleOf);
    const isHead = roles.some((role) => role !== null) && readTimes(head.cells.join(' ')) === null;
    const rows = (isHead ? block.slice(1) : block).map(({ cells, line }) =>
      rowOf(cells, line, isHead ? roles : []),
    );
    if (rows.length > 0) tables.push(rows);
    return end;
  }
}

function rowOf(cells: readonly string[], line: number, roles: readonly (Role | null)[]): Row {
  return {
    place: `line ${line}`,
    cells: cells
      .map((text, i) => ({ role: roles[i] ?? null, text: text.replaceAll(/<br\s*\/?>/gi, ', ') }))
      .filter(({ role, text }) => role !== 'note' && text.trim() !== ''),
  };
}

function splitPipes(line: string): string[] | null {
  if (!line.includes('|')) return null;
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
}

function splitTabs(line: string): string[] | null {
  return line.includes('\t') ? line.split('\t').map((cell) => cell.trim()) : null;
}

/** The splitter for a line of commas or semicolons if it is the header of a table. */
function csvAt(line: string): Splitter[] {
  return [',', ';']
    .map(
      (comma): Splitter =>
        (text) =>
          text.trim() === '' ? null : splitCsv(text, comma),
    )
    .filter(
      (split) => (split(line) ?? []).filter((cell) => roleOf(cell) !== null).length >= LEAST_ROLES,
    );
}

/** The cells of a line; cells may be quoted. */
function splitCsv(line: string, comma: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const sign = line[i];
    if (sign === '"' && quoted && line[i + 1] === '"') {
      cell += sign;
      i++;
    } else if (sign === '"') quoted = !quoted;
    else if (sign === comma && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}
