import { InputError } from '@alas-jssp/core/errors';
import { temporal } from '@alas-jssp/core/temporal';
import type { TimeScale } from '../shop-clock.js';
import { parseTime } from '../time-scale.js';
import type { ImportMap } from './import-map.js';
import type { ImportRow } from './table.js';

/** The positions of day, month and year in a date. */
const FORMS: Record<ImportMap['dates'], RegExp> = {
  'yyyy-mm-dd': /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/,
  'dd.mm.yyyy': /^(?<d>\d\d?)\.(?<m>\d\d?)\.(?<y>\d{4})$/,
  'dd/mm/yyyy': /^(?<d>\d\d?)\/(?<m>\d\d?)\/(?<y>\d{4})$/,
  'mm/dd/yyyy': /^(?<m>\d\d?)\/(?<d>\d\d?)\/(?<y>\d{4})$/,
};

/** Dates of orders as times of a scale. */
export interface OrderClock {
  readonly scale: TimeScale;
  readonly dates: ImportMap['dates'];
}

/**
 * The time of a date of an order, which may include an hour. Without an hour, a release is the beginning of its day and
 * a due date is the end of its day. Times before time 0 become 0. Dates of ISO 8601 and dates with points are
 * unambiguous and need no mapping.
 *
 * @returns the time, and whether it was before the epoch
 * @throws InputError `bad_order` with file, line and order
 */
export function orderTime(
  row: ImportRow,
  field: 'release' | 'due',
  { scale, dates }: OrderClock,
): { readonly time: number; readonly past: boolean } {
  const text = row.text(field);
  const [, date, hour] = /^(\S+?)(?:[\sT]+(\d{1,2}:\d\d.*))?$/.exec(text) ?? [];
  const form =
    date === undefined
      ? undefined
      : (FORMS[dates].exec(date) ??
        FORMS['yyyy-mm-dd'].exec(date) ??
        FORMS['dd.mm.yyyy'].exec(date));
  const hint = `give a date like ${dates.toUpperCase()}, with an hour like 14:30 or without; the mapping says how dates are written`;
  if (form?.groups === undefined || form === null) {
    throw row.error(`the ${field} is ${JSON.stringify(text)}, which is no date`, hint, {
      why: 'date',
      field,
      text,
    });
  }
  const { y, m, d } = form.groups;
  try {
    const day = temporal().PlainDate.from(`${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`);
    const first = field === 'due' && hour === undefined ? day.add({ days: 1 }) : day;
    const iso = `${first.toString()}T${(hour ?? '00:00').padStart(5, '0')}`;
    return { time: parseTime(scale, iso), past: false };
  } catch (error) {
    if (error instanceof RangeError) {
      throw row.error(`the ${field} is ${JSON.stringify(text)}, and there is no such day`, hint, {
        why: 'date',
        field,
        text,
      });
    }
    if (!(error instanceof InputError)) throw error;
    if (error.code === 'before_epoch') return { time: 0, past: true };
    throw row.error(`the ${field} is ${JSON.stringify(text)}: ${error.problem}`, error.hint);
  }
}
