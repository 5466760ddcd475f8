import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { formatTime } from '../../jssp/time-scale.js';
import { afterShiftsWords, wordsOf } from '../../jssp/words.js';
import type { CellValue, Column } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import { remark } from './output.js';
import type { Session } from './session.js';

/** Warns of work after the last known shift. */
export function warnAfterShifts(session: Session, { instance, makespan }: Schedule): void {
  const warning = afterShiftsWords(instance, makespan);
  if (warning !== undefined) remark(session, `warning: ${warning}`);
}

type ColumnLook<Row> = Pick<Column<Row>, 'minor' | 'when'> & { readonly header?: string };

/** A column of times. If the shop has a clock, tables show day and hour, other formats ISO 8601 dates. */
export function timeColumn<Row>(
  key: string,
  instance: Instance,
  timeAt: (row: Row) => number | null,
  look: ColumnLook<Row> = {},
): Column<Row> {
  const { timeScale } = instance;
  const dateAt = (row: Row): CellValue => {
    const time = timeAt(row);
    return time === null || timeScale === null ? time : formatTime(timeScale, time);
  };
  const inWords = (_: CellValue, row: Row) => {
    const time = timeAt(row);
    return time === null ? '' : wordsOf(instance).time(time);
  };
  const format = timeScale === null ? whole : inWords;
  return { key, header: key.replaceAll('_', ' '), value: dateAt, format, ...look };
}

/** The format of a column of durations: `12 min` if the shop has a clock. */
export function durationFormat(instance: Instance): (value: CellValue) => string {
  if (instance.timeScale === null) return whole;
  return (value) => (typeof value === 'number' ? wordsOf(instance).duration(value) : '');
}

/** Times of a document as ISO 8601 dates, with `_date` after their keys; empty if the shop has no clock. */
export function datesOf(
  { timeScale }: Instance,
  times: Readonly<Record<string, number | null>>,
): Record<string, string | number | null> {
  if (timeScale === null) return {};
  return Object.fromEntries(
    Object.entries(times).map(([key, time]) => [
      `${key}_date`,
      time === null ? null : formatTime(timeScale, time),
    ]),
  );
}
