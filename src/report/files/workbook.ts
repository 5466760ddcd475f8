import { csvCell } from '../table.js';
import type { Sheet, SheetCell } from './plan-sheets.js';

const DATE_FORMAT = 'yyyy-mm-dd hh:mm';
/** Milliseconds of a day, and the days from which workbooks count (30 December 1899) to 1970. */
const DAY = 86_400_000;
const DAYS_TO_1970 = 25_569;

const LATE = '#B3261E';

/** Maximum number of characters of a cell. */
const LONGEST_TEXT = 32_767;

/** Sheets as a workbook of Office Open XML (`.xlsx`). Texts stay texts, even if they begin like a formula. */
export async function writeWorkbook(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const pages = sheets.map(({ name, columns, rows, late }) => ({
    sheet: name,
    stickyRowsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
    data: [
      columns.map(({ header }) => ({ value: header, type: String, fontWeight: 'bold' as const })),
      ...rows.map((cells, row) => {
        const look = late.has(row) ? { textColor: LATE } : {};
        return cells.map((cell) => ({ ...cellOf(cell), ...look }));
      }),
    ],
  }));
  return writeExcelFile(pages as Parameters<typeof writeExcelFile>[0]).toBuffer();
}

/** A cell with its type, so that programs do not infer one from a text. */
function cellOf(cell: SheetCell): object {
  if (cell === null) return { value: null };
  if (typeof cell === 'string') return { value: cell.slice(0, LONGEST_TEXT), type: String };
  if (typeof cell === 'number') return { value: cell, type: Number };
  const days = Date.parse(`${cell.date}Z`) / DAY + DAYS_TO_1970;
  return { value: days, type: Number, format: DATE_FORMAT };
}

/** A character at the beginning of a text that makes spreadsheets read a formula. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

/**
 * A sheet as CSV for spreadsheets: UTF-8 with a byte order mark, dates as `2026-11-23 14:10`, and an apostrophe before
 * texts that would be read as formulas.
 */
export function writeSheetCsv({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>): string {
  const lines = [columns.map(({ header }) => header), ...rows].map(
    (cells) => `${cells.map((cell) => csvCell(plainCell(cell))).join(',')}\r\n`,
  );
  return `\uFEFF${lines.join('')}`;
}

function plainCell(cell: SheetCell): string | number | null {
  if (typeof cell === 'object' && cell !== null) return cell.date.slice(0, 16).replace('T', ' ');
  return typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell;
}
