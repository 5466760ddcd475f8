import { formatEvent, readInstanceEvents, writeEvents } from '../../disruption/index.js';
import { resolveSource } from '../../jssp/suites.js';
import { columnsOf } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import type { OutputOptions } from '../common/options.js';
import { print } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

const ofEvent = columnsOf<{ readonly at: number; readonly event: string }>();
const eventColumns = [ofEvent('at', whole), ofEvent('event')];

/** Lists the events of an instance file in the short form; JSON output is a file of events. */
export async function listEvents(
  session: Session,
  spec: string,
  format: OutputOptions['format'],
): Promise<void> {
  const { name, path } = resolveSource(spec);
  const events = readInstanceEvents(path);
  if (format === 'json') return print(session, writeEvents(events, { instance: name }).trimEnd());
  const rows = events.map((event) => ({ at: event.at, event: formatEvent(event) }));
  await printRows(session, format, eventColumns, rows, null);
}
