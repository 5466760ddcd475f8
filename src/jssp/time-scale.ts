import { InputError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { temporal } from '@alas-jssp/core/temporal';
import { MAX_TIME } from './instance.js';
import { checkTimeScale, epochMilliseconds, type TimeScale } from './shop-clock.js';

/** Day and hour, with or without seconds, offset and zone. */
const DATE_TIME =
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<offset>[Zz]|[+-]\d\d(?::?\d\d)?)?(?<zone>\[[\w/+-]+\])?$/;

/** The last moment of the year 9999, in milliseconds since 1970. */
const LAST_YEAR = 253_402_214_400_000;

/**
 * Parses a time of ISO 8601 (RFC 9557 with a zone in brackets). Without an offset it is wall-clock time in the zone of
 * the scale: a skipped time uses the offset before the gap, so that 02:30 becomes 03:30, and a repeated time means the
 * first occurrence, as `compatible` of TC39 Temporal does.
 *
 * @returns the time in units of the scale
 * @throws InputError `before_epoch`, or `bad_time` if it is not such a time, falls between two units, or is too late
 */
export function parseTime(scale: TimeScale, text: string): number {
  const moment = momentOf(scale.zone, text);
  const time = (moment - epochMilliseconds(scale, 0)) / (scale.unit * 1000);
  if (time < 0) {
    throw badTime(text, 'is before the epoch', `give ${scale.epoch} or later`, 'before_epoch');
  }
  if (!Number.isInteger(time)) {
    const [before, after] = [Math.floor(time), Math.ceil(time)].map((at) => formatTime(scale, at));
    const hint = `give ${before} or ${after}: a unit has ${scale.unit} s here`;
    throw badTime(text, 'is between two units of time', hint);
  }
  if (time > MAX_TIME) {
    throw badTime(text, 'is too late', `give ${formatTime(scale, MAX_TIME)} or earlier`);
  }
  return time;
}

/**
 * A time in ISO 8601 with the offset of that moment in the zone of the scale, such as `2026-11-23T14:10:00+01:00`;
 * {@link parseTime} is the inverse. Beyond the year 9999 it remains a number.
 */
export function formatTime(scale: TimeScale, time: number): string | number {
  const moment = epochMilliseconds(scale, time);
  if (!Number.isInteger(time) || !(Math.abs(moment) < LAST_YEAR)) return time;
  const { offset, label } = periodAt(scale, moment);
  return isoTime(moment + offset).slice(0, -'.000Z'.length) + label;
}

/** The time between two changes of the offset of a zone, in milliseconds since 1970. */
interface ZonePeriod {
  readonly from: number;
  readonly to: number;
  /** In milliseconds, and in ISO 8601. */
  readonly offset: number;
  readonly label: string;
}

/** Caches the last period: all times of a plan are in one or two. */
const periods = new WeakMap<TimeScale, ZonePeriod>();

function periodAt(scale: TimeScale, moment: number): ZonePeriod {
  const known = periods.get(scale);
  if (known !== undefined && known.from <= moment && moment < known.to) return known;
  const zoned = (at: number) =>
    temporal().Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(scale.zone);
  const local = zoned(moment);
  const period = {
    // A transition is not before itself, so start one millisecond later.
    from: zoned(moment + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    to: local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: local.offsetNanoseconds / 1e6,
    label: local.offset,
  };
  periods.set(scale, period);
  return period;
}

/**
 * A scale with an epoch as files write it: without an offset it is wall-clock time in the zone.
 *
 * @throws InputError `bad_time`, or as {@link checkTimeScale}
 */
export function createTimeScale({ epoch, unit, zone }: TimeScale): TimeScale {
  checkTimeScale({ epoch: '1970-01-01T00:00:00Z', unit, zone });
  const moment = temporal().Instant.fromEpochMilliseconds(momentOf(zone, epoch));
  const local = moment.toZonedDateTimeISO(zone);
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(epoch);
  const text = local.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  const scale = { epoch: hasOffset ? epoch : text, unit, zone };
  checkTimeScale(scale);
  return scale;
}

/** A time of ISO 8601 in milliseconds since 1970. */
function momentOf(zone: string, text: string): number {
  const parts = DATE_TIME.exec(text)?.groups;
  const { Instant, PlainDateTime, ZonedDateTime } = temporal();
  if (parts !== undefined) {
    try {
      if (parts.zone !== undefined) return ZonedDateTime.from(text).epochMilliseconds;
      if (parts.offset !== undefined) return Instant.from(text).epochMilliseconds;
      const wall = PlainDateTime.from(text);
      return wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw badTime(
    text,
    'is no time',
    `give day and hour of ISO 8601, such as "2026-11-23T14:10" (in ${zone}) or "2026-11-23T14:10+01:00"`,
  );
}

function badTime(text: string, problem: string, hint: string, code = 'bad_time'): InputError {
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  return new InputError(code, `${shown} ${problem}`, hint, {}, text);
}
