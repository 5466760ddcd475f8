import { InputError } from 'alas-jssp';

/** Minutes of a day. */
export const DAY = 1440;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(Z?)$/;

/** Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms"). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return (
    era * 146097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719468
  );
}

/** Year, month and day of a number of days since 1970-01-01. */
function civilFromDays(days: number): readonly [number, number, number] {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const ofEra = shifted - era * 146097;
  const leaps = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36524) + Math.floor(ofEra / 146096);
  const yearOfEra = Math.floor((ofEra - leaps) / 365);
  const start = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const ofYear = ofEra - start;
  const march = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

/** Whether a text is a date of the calendar, such as `2025-06-30`. */
export function isDay(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return civilFromDays(daysFromCivil(year, month, day))[2] === day;
}

/** Whether a text is a local time on a date, such as `2025-06-30T14:05`. */
export function isMoment(text: string): boolean {
  const parts = MOMENT.exec(text);
  return parts !== null && parts[4] === '' && isDay(parts[1]);
}

/** Whether a text is a time in UTC, such as `2025-06-30T14:05Z`. */
export function isInstant(text: string): boolean {
  return text.endsWith('Z') && isMoment(text.slice(0, -1));
}

/**
 * Parses a date to days since 1970-01-01.
 *
 * @throws InputError `bad_date`
 */
export function parseDay(text: string): number {
  if (!isDay(text)) throw badDate(text, 'write it as 2025-06-30');
  const [year, month, day] = text.split('-').map(Number);
  return daysFromCivil(year, month, day);
}

/** Days since 1970-01-01 as a date. */
export function formatDay(days: number): string {
  const [year, month, day] = civilFromDays(days);
  const pad = (value: number, length: number) => String(value).padStart(length, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/**
 * Parses a local time, or a time in UTC that ends with Z, to minutes since 1970-01-01T00:00 of the same clock.
 *
 * @throws InputError `bad_date`
 */
export function parseMoment(text: string): number {
  const parts = MOMENT.exec(text);
  if (parts === null || !isDay(parts[1])) throw badDate(text, 'write it as 2025-06-30T14:05');
  return DAY * parseDay(parts[1]) + 60 * Number(parts[2]) + Number(parts[3]);
}

/** Minutes since 1970-01-01T00:00 as a time: `2025-06-30T14:05`. */
export function formatMoment(minutes: number): string {
  const day = Math.floor(minutes / DAY);
  const rest = minutes - DAY * day;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${formatDay(day)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}`;
}

function badDate(text: string, hint: string): InputError {
  return new InputError('bad_date', `'${text}' is no date or time`, hint, {}, text);
}
