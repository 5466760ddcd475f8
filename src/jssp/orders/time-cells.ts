import type { TableRow } from './shop-table.js';

/** How narrowly a row matches a cell. */
interface Narrowness {
  /** A narrower row has a greater number. */
  readonly level: number;
  /** Which of its columns are not `*`. Rows of different patterns of one level match equally. */
  readonly pattern: number;
  /** The number of columns that name one machine instead of a group: decides between rows of one pattern. */
  readonly exact: number;
}

/** Times that rows of a table set, of which the row that matches most narrowly counts. */
export interface TimeCells<Row extends TableRow<never>> {
  readonly time: Int32Array;
  set(cell: number, time: number, narrowness: Narrowness, row: Row): void;
  /** Refuses the first cell for which two rows match equally and have different times. @throws InputError */
  refuseTies(nameOf: (cell: number) => string): void;
}

/** Creates cells of time 0. */
export function createTimeCells<Row extends TableRow<never>>(count: number): TimeCells<Row> {
  const time = new Int32Array(count);
  const levels = new Int8Array(count).fill(-1);
  const patterns = new Int8Array(count);
  const exacts = new Int8Array(count);
  /** The line that set each cell. */
  const lines = new Int32Array(count);
  const ties = new Map<number, { readonly row: Row; readonly pattern: number }>();
  return {
    time,
    set(cell, units, { level, pattern, exact }, row) {
      const isSame = level === levels[cell];
      if (level < levels[cell]) return;
      if (isSame && (pattern !== patterns[cell] || exact === exacts[cell])) {
        if (time[cell] !== units) ties.set(cell, { row, pattern });
        return;
      }
      if (isSame && exact < exacts[cell]) return;
      if (!isSame || ties.get(cell)?.pattern === pattern) ties.delete(cell);
      time[cell] = units;
      levels[cell] = level;
      patterns[cell] = pattern;
      exacts[cell] = exact;
      lines[cell] = row.line;
    },
    refuseTies(nameOf) {
      for (const [cell, { row }] of ties) {
        const problem = `${nameOf(cell)} also matches line ${lines[cell]}, which has another time`;
        throw row.error(problem, 'add a narrower row for it, or give both the same time');
      }
    },
  };
}
