import type { Column } from '../../report/columns.js';
import {
  type DocumentFormat,
  type Format,
  renderJson,
  renderTable,
  type TableStyle,
} from '../../report/table.js';
import { print, remark, widthOf } from './output.js';
import type { OutputStream, Session } from './session.js';

/** The style of tables on a stream: its width, and colours unless NO_COLOR is set. */
export function tableStyle(stream: OutputStream): TableStyle {
  if (!stream.isTTY) return { color: false, width: undefined };
  const { NO_COLOR, TERM } = process.env;
  return { color: !NO_COLOR && TERM !== 'dumb', width: widthOf(stream) };
}

/** Prints rows in a format; `data` is the JSON document, by default the rows. */
export async function printRows<Row>(
  session: Session,
  format: Format,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  data: unknown = rows,
): Promise<void> {
  const style = tableStyle(session.host.stdout);
  await print(
    session,
    format === 'json' ? renderJson(data) : renderTable(columns, rows, format, style),
  );
}

/**
 * Prints further tables after an empty line. In CSV they go to stderr, because a program can read only one
 * table from stdout.
 */
export async function printMore(
  session: Session,
  format: Exclude<Format, 'json'>,
  render: (format: DocumentFormat, style: TableStyle) => string,
): Promise<void> {
  const { stdout, stderr } = session.host;
  if (format === 'csv') remark(session, `\n${render('table', tableStyle(stderr))}`);
  else await print(session, `\n${render(format, tableStyle(stdout))}`);
}
