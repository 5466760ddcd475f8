import { InputError } from '@alas-jssp/core/errors';
import { CsvError, parse } from 'csv-parse/sync';

/** Receives the cells of a row, trimmed, and its line from 1. */
type RowReader = (cells: string[], line: number) => void;

/** A longer row is not CSV. */
const LONGEST_ROW = 10_000;

/**
 * Reads the rows of a CSV text one by one. The first of comma, semicolon and tab in its first row separates its cells;
 * blank lines and lines that begin with `#` are skipped.
 *
 * @throws InputError with the line of a quotation mark that is out of place, or of a row of more than 10,000 characters
 */
export function readCsvRows(text: string, file: string | undefined, read: RowReader): void {
  const separator = /[,;\t]/.exec(firstRow(text))?.[0] ?? ',';
  if (text.includes('"')) readQuoted(text, separator, file, read);
  else readPlain(text, separator, file, read);
}

function firstRow(text: string): string {
  const word = /\S/g;
  for (let found = word.exec(text); found !== null; found = word.exec(text)) {
    const end = text.indexOf('\n', found.index);
    if (found[0] !== '#') {
      return text.slice(
        found.index,
        Math.min(end < 0 ? text.length : end, found.index + LONGEST_ROW),
      );
    }
    if (end < 0) break;
    word.lastIndex = end;
  }
  return '';
}

/** Without quotation marks, lines are rows: this takes a tenth of csv-parse's time for a million rows. */
function readPlain(
  text: string,
  separator: string,
  file: string | undefined,
  read: RowReader,
): void {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const row = text.slice(start, end).trim();
    line++;
    if (row !== '' && !row.startsWith('#')) {
      if (row.length > LONGEST_ROW) throw tooLong(file, line);
      const cells = row.split(separator);
      for (let i = 0; i < cells.length; i++) cells[i] = cells[i].trim();
      read(cells, line);
    }
    start = end + 1;
  }
}

function readQuoted(
  text: string,
  separator: string,
  file: string | undefined,
  read: RowReader,
): void {
  try {
    // Within quotation marks csv-parse counts CRLF as two lines.
    parse(text.replaceAll('\r\n', '\n'), {
      delimiter: separator,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: LONGEST_ROW,
      comment: '#',
      comment_no_infix: true,
      on_record: (cells, { lines }) => {
        read(cells as unknown as string[], lines);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error;
    if (code === 'CSV_MAX_RECORD_SIZE') throw tooLong(file, lines as number);
    throw new InputError('bad_csv', 'a quotation mark is out of place', 'pair or remove it', {
      file,
      line: lines as number,
    });
  }
}

function tooLong(file: string | undefined, line: number): InputError {
  return new InputError(
    'bad_csv',
    `the row has more than ${LONGEST_ROW} characters`,
    'give one entry a line',
    { file, line },
  );
}
