import { isoTime } from '@alas-jssp/core/iso-time';
import { refuseUnless } from './instance-checks.js';

/** The meaning of integer times: `t` is the instant `epoch` plus `t` times `unit` seconds. */
export interface TimeScale {
  /** The instant of time 0, in ISO 8601 with its offset, such as `2026-11-23T06:00:00+01:00`. */
  readonly epoch: string;
  /** The seconds of a unit of time, a whole number of at least 1: 60 for minutes. */
  readonly unit: number;
  /** The time zone for display, from the IANA database: `Europe/Berlin`. */
  readonly zone: string;
}

/** Formats the times of a scale for people. Needs `Intl` only, so that it works in browsers, too. */
export interface ShopClock {
  /**
   * `Mon 23 Nov 14:10`; with the year if it differs from that of the epoch, with seconds if they are not 0, and with
   * the offset in the hour that is repeated when summer time ends.
   *
   * @param near a time on whose day the hour suffices: `14:10`
   */
  time(time: number, near?: number): string;
  /** `12 min`, `1 h 30 min`, `3 d 4 h`. */
  duration(units: number): string;
}

/** The time formats of a language. */
export interface ClockWords {
  /**
   * `Mon 23 Nov`, with the year `Mon 23 Nov 2026`.
   *
   * @param wall wall-clock time of the shop in milliseconds since 1970
   */
  day(wall: number, withYear: boolean): string;
  /** Units for a duration in days, hours, minutes and seconds, such as `1 h 30 min`; parts that are 0 are omitted. */
  readonly units: readonly [days: string, hours: string, minutes: string, seconds: string];
}

const DAY_WORDS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTH_WORDS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The time formats in English, independent of the locale. */
export const ENGLISH_CLOCK: ClockWords = {
  day(wall, withYear) {
    const day = Math.floor(wall / DAY);
    const [year, month, date] = isoTime(wall)
      .split('T')[0]
      .split(/(?!^)-/);
    const weekday = DAY_WORDS[(((day + 4) % 7) + 7) % 7];
    const words = `${weekday} ${Number(date)} ${MONTH_WORDS[Number(month) - 1]}`;
    return withYear ? `${words} ${Number(year)}` : words;
  },
  units: ['d', 'h', 'min', 's'],
};

const DAY = 86_400_000;
const QUARTER = 900_000;
const MAX_OFFSETS = 1000;

/** The limit of Intl and Temporal, in milliseconds since 1970. */
const LAST_MOMENT = 8.64e15;

const EPOCH = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/;

const clocks = new WeakMap<ClockWords, WeakMap<TimeScale, ShopClock>>();
const checked = new WeakSet<TimeScale>();

/** The clock of shops without a time scale, which use numbers. */
const numbers: ShopClock = { time: (time) => String(time), duration: (units) => String(units) };

/** The clock of a shop with or without a scale. */
export function clockFor(scale: TimeScale | null | undefined, words = ENGLISH_CLOCK): ShopClock {
  return scale ? clockOf(scale, words) : numbers;
}

/** The clock of a scale, cached by scale and words. */
export function clockOf(scale: TimeScale, words = ENGLISH_CLOCK): ShopClock {
  const ofWords = clocks.get(words) ?? new WeakMap<TimeScale, ShopClock>();
  clocks.set(words, ofWords);
  const clock = ofWords.get(scale) ?? createClock(scale, words);
  ofWords.set(scale, clock);
  return clock;
}

/**
 * Checks a time scale, once.
 *
 * @throws InputError `bad_instance` if the epoch is not a time with an offset, the unit is not an integer number of
 *   seconds from 1 to a day, or the zone is unknown
 */
export function checkTimeScale(scale: TimeScale): void {
  if (checked.has(scale)) return;
  const { epoch, unit, zone } = scale;
  refuseUnless(
    typeof epoch === 'string' && EPOCH.test(epoch) && !Number.isNaN(Date.parse(epoch)),
    `the epoch is ${JSON.stringify(epoch)}`,
    'give a time with its offset, such as "2026-11-23T06:00:00+01:00"',
    epoch,
  );
  refuseUnless(
    Number.isInteger(unit) && unit >= 1 && unit <= 86_400,
    `the unit of time is ${unit}`,
    'give the seconds of a unit, a whole number from 1 to 86400: 60 for minutes',
    unit,
  );
  refuseUnless(
    isZone(zone),
    `the time zone is ${JSON.stringify(zone)}`,
    'give one of the IANA database, such as "Europe/Berlin", or "UTC"',
    zone,
  );
  checked.add(scale);
}

/** Whether a time zone of that name exists. */
function isZone(zone: unknown): boolean {
  if (typeof zone !== 'string' || !/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** A time as milliseconds since 1970. */
export function epochMilliseconds({ epoch, unit }: TimeScale, time: number): number {
  return Date.parse(epoch) + time * unit * 1000;
}

function createClock(scale: TimeScale, words: ClockWords): ShopClock {
  const { zone, unit } = scale;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  /** Cached offsets by quarter of an hour, because they change only at quarters and a lookup is slow. */
  const offsets = new Map<number, number>();
  const offsetAt = (moment: number): number => {
    const quarter = Math.floor(moment / QUARTER);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const parts = format.formatToParts(moment);
    const offset = offsetOf(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '');
    if (offsets.size >= MAX_OFFSETS) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  };
  /** Two days with a constant offset. */
  let quiet = { from: 0, to: 0, offset: 0 };

  /** The offset at a moment, and whether clocks show its wall-clock time twice. */
  const look = (moment: number): { offset: number; twice: boolean } => {
    if (quiet.from <= moment && moment < quiet.to) return { offset: quiet.offset, twice: false };
    const offset = offsetAt(moment);
    const [before, after] = [offsetAt(moment - DAY), offsetAt(moment + DAY)];
    if (before === offset && after === offset) {
      quiet = { from: moment - DAY, to: moment + DAY, offset };
    }
    const back = before - after;
    const others = back > 0 ? [moment - back, moment + back] : [];
    const twice = others.some((other) => other + offsetAt(other) === moment + offset);
    return { offset, twice };
  };
  const localTime = (time: number) => {
    const moment = epochMilliseconds(scale, time);
    const { offset, twice } = look(moment);
    return { wall: moment + offset, offset, twice };
  };
  const yearOf = (wall: number) => isoTime(wall).slice(0, -'-11-23T14:10:00.000Z'.length);
  const firstYear = yearOf(localTime(0).wall);

  return {
    time(time, near) {
      if (!(Math.abs(epochMilliseconds(scale, time)) < LAST_MOMENT - 2 * DAY)) return String(time);
      const { wall, offset, twice } = localTime(time);
      const [hour, minute, second] = isoTime(wall).split('T')[1].split(/[:.]/);
      const seconds = second === '00' ? '' : `:${second}`;
      const clock = `${hour}:${minute}${seconds}${twice ? ` ${offsetText(offset)}` : ''}`;
      const day = Math.floor(wall / DAY);
      if (near !== undefined && Math.floor(localTime(near).wall / DAY) === day) return clock;
      return `${words.day(wall, yearOf(wall) !== firstYear)} ${clock}`;
    },
    duration: (units) => secondsText(units * unit, words),
  };
}

/** `+01:00` */
function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const digits = (number: number) => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}

/** The milliseconds of an offset such as `GMT+05:30`. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return (sign === '-' ? -size : size) * 1000;
}

/** Seconds in words: with days from two days on. */
function secondsText(seconds: number, words: ClockWords): string {
  const { units } = words;
  if (seconds < 0) return `−${secondsText(-seconds, words)}`;
  if (seconds === 0) return `0 ${units[2]}`;
  const days = seconds < 172_800 ? 0 : Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const counts = [days, Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60];
  return counts.flatMap((count, i) => (count === 0 ? [] : [`${count} ${units[i]}`])).join(' ');
}
