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

/** How tables look on this terminal: colours unless NO_COLOR is set, no wider than it is. */
export function tableStyle(stream: OutputStream): TableStyle {
  if (!stream.isTTY) return { color: false, width: undefined };
  const { NO_COLOR, TERM } = process.env;
  return { color: !NO_COLOR && TERM !== 'dumb', width: widthOf(stream) };
}

/** Prints rows in the wanted format; `data` is what JSON shows, by default the rows. */
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
 * Prints further tables after the first, set off by an empty line. In CSV one table is all that a
 * program can read from stdout: people find the others on stderr.
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
