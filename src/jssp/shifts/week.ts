import { InputError } from '@alas-jssp/core/errors';
import { temporal } from '@alas-jssp/core/temporal';
import { epochMilliseconds, type TimeScale } from '../shop-clock.js';
import type { Week } from './calendar-file.js';
import { breakOf, DAY, endMinute, type ShiftHours } from './hours.js';

/** A time `[from, to)`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The working times of a calendar in units of a scale, from time 0 to a horizon: disjoint and in increasing order.
 * Hours are wall-clock times, so a night shift is an hour shorter when summer time begins. Skipped and repeated clock
 * times are resolved as `compatible` of TC39 Temporal does. A shift belongs to the day on which it begins.
 *
 * @param holidays days on which no shift begins, in addition to those of the calendar
 * @throws InputError `bad_calendar` if a shift or break begins or ends between two units of time
 */
export function workingSpans(
  week: Week,
  holidays: Week['holidays'],
  scale: TimeScale,
  horizon: number,
): Span[] {
  const { Instant, PlainDate } = temporal();
  const { zone } = scale;
  const dayOf = (time: number) =>
    Instant.fromEpochMilliseconds(epochMilliseconds(scale, time))
      .toZonedDateTimeISO(zone)
      .toPlainDate();
  const last = dayOf(horizon);
  const off = [...holidays, ...week.holidays];
  const spans: Span[] = [];
  // A night shift of the day before may still be running.
  for (let day = dayOf(0).subtract({ days: 1 }); PlainDate.compare(day, last) <= 0; ) {
    const date = day.toString();
    const weekday = day.dayOfWeek;
    const isOff = off.some(({ from, to }) => from <= date && date <= to);
    const regular = isOff ? [] : week.shifts.filter(({ days }) => days.has(weekday));
    const at = timesOfDay(day, scale);
    for (const shift of [...regular, ...week.extra.filter((extra) => extra.date === date)]) {
      spans.push(...withoutBreaks(shift, at));
    }
    day = day.add({ days: 1 });
  }
  return mergeSpans(
    spans.map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(to, horizon) })),
  );
}

/** The time in units of each minute after the midnight at which a day begins. */
function timesOfDay(
  day: InstanceType<ReturnType<typeof temporal>['PlainDate']>,
  scale: TimeScale,
): (minute: number) => number {
  return (minute) => {
    const wall = day.add({ days: Math.floor(minute / DAY) }).toPlainDateTime({
      hour: Math.floor((minute % DAY) / 60),
      minute: minute % 60,
    });
    const moment = wall.toZonedDateTime(scale.zone, { disambiguation: 'compatible' });
    const time = (moment.epochMilliseconds - epochMilliseconds(scale, 0)) / (scale.unit * 1000);
    if (Number.isInteger(time)) return time;
    throw new InputError(
      'bad_calendar',
      `${wall.toString({ smallestUnit: 'minute' })} is between two units of time`,
      `use a finer unit, or shifts of whole units of ${scale.unit} s from ${scale.epoch} on`,
    );
  };
}

/** A shift without its breaks. */
function withoutBreaks(shift: ShiftHours, at: (minute: number) => number): Span[] {
  const breaks = mergeSpans(
    shift.breaks.map((one) => {
      const { from, to } = breakOf(one, shift);
      return { from: at(from), to: at(to) };
    }),
  );
  const spans: Span[] = [];
  let from = at(shift.from);
  const end = at(endMinute(shift));
  for (const pause of breaks) {
    spans.push({ from, to: Math.min(pause.from, end) });
    from = Math.max(from, pause.to);
  }
  spans.push({ from, to: end });
  return spans;
}

/** Spans in increasing order, with adjacent ones merged and empty ones dropped. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  const sorted = spans.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to) joined.push(span);
    else if (span.to > last.to) joined[joined.length - 1] = { from: last.from, to: span.to };
  }
  return joined;
}
