import { InputError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { sha256 } from '@alas-jssp/core/sha256';
import { labelsOf } from '../../jssp/labels.js';
import { jobEnd, type Schedule } from '../../jssp/schedule.js';
import { clockOf, epochMilliseconds, type TimeScale } from '../../jssp/shop-clock.js';
import { wordsOf } from '../../jssp/words.js';
import { type Preparation, preparationsOf } from './preparations.js';

/** The options of a plan's calendar. */
interface CalendarOptions {
  /** The name of the shop. Events of a shop keep their ids, so that calendars move them instead of duplicating them. */
  readonly shop: string;
  /** Operations on this machine only, from 0; default: all. */
  readonly machine?: number | undefined;
  /** The version of the plan; it grows with each change. */
  readonly version: number;
  /** When the calendar is written, in milliseconds since 1970. */
  readonly stamp: number;
}

/** Minutes after which subscribers of a calendar should refresh it. */
const ASK_AGAIN = 5;

/** The last instant of a year with four digits, in milliseconds since 1970. */
const LAST_MOMENT = 253_402_300_799_999;

/**
 * A plan as a calendar (RFC 5545), an event for each operation that has a start. Times are in UTC, which needs no
 * definition of a time zone.
 *
 * @throws InputError `no_clock` for a shop without a clock, `bad_time` for a plan that ends after the year 9999
 */
export function planCalendar(schedule: Schedule, options: CalendarOptions): string {
  const { instance, start, makespan } = schedule;
  const { timeScale } = instance;
  if (timeScale === null) {
    const problem = 'the shop has no clock, so its times are no dates';
    throw new InputError('no_clock', problem, 'give its instance a time_scale');
  }
  if (epochMilliseconds(timeScale, makespan) > LAST_MOMENT) {
    const problem = 'the plan ends after the year 9999, and calendars do not';
    throw new InputError('bad_time', problem, 'give the instance a finer unit of time');
  }
  const { shop, machine } = options;
  const name = machine === undefined ? shop : `${labelsOf(instance).machine(machine)} (${shop})`;
  const operations = Array.from(start.keys())
    .filter((op) => start[op] >= 0)
    .filter((op) => machine === undefined || instance.machine[op] === machine)
    .sort((a, b) => start[a] - start[b] || a - b);
  const prepared = preparationsOf(schedule);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//alas-jssp//plan//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-TIMEZONE:${escaped(timeScale.zone)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:PT${ASK_AGAIN}M`,
    `X-PUBLISHED-TTL:PT${ASK_AGAIN}M`,
    ...operations.flatMap((op) => eventOf(schedule, timeScale, op, prepared[op], options)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** An operation as an event. */
function eventOf(
  { instance, start, end }: Schedule,
  scale: TimeScale,
  op: number,
  prepared: Preparation,
  { shop, machine: only, version, stamp }: CalendarOptions,
): string[] {
  const { jobOf, jobOffset } = instance;
  const labels = labelsOf(instance);
  const [job, machine] = [jobOf[op], labels.machine(instance.machine[op])];
  const step = op - jobOffset[job] + 1;
  const what = wordsOf(instance).operation(op);
  const id = sha256(JSON.stringify([shop, labels.job(job), step])).slice(0, 40);
  return [
    'BEGIN:VEVENT',
    `UID:${id}@alas-jssp`,
    `DTSTAMP:${moment(stamp)}`,
    `SEQUENCE:${version}`,
    `DTSTART:${moment(epochMilliseconds(scale, start[op]))}`,
    // An event without an end has no duration; calendars refuse an end that equals the start.
    ...(end[op] > start[op] ? [`DTEND:${moment(epochMilliseconds(scale, end[op]))}`] : []),
    `SUMMARY:${escaped(only === undefined ? `${machine}: ${what}` : what)}`,
    `LOCATION:${escaped(machine)}`,
    `DESCRIPTION:${escaped([...workOf(prepared, scale), descriptionOf({ instance, end }, scale, job)].filter((line) => line !== '').join('\n'))}`,
    'END:VEVENT',
  ];
}

/** The setup, the operators and the tools of an operation in lines. */
function workOf({ setup, needs, setupNeeds }: Preparation, scale: TimeScale): string[] {
  const { time } = clockOf(scale);
  const by = setupNeeds.length === 0 ? '' : ` by ${setupNeeds.join(', ')}`;
  return [
    ...(setup === null ? [] : [`setup ${time(setup.from)} to ${time(setup.to, setup.from)}${by}`]),
    ...(needs.length === 0 ? [] : [`with ${needs.join(', ')}`]),
  ];
}

/** The due date of an order, its lateness, and other known facts. */
function descriptionOf(
  { instance, end }: Pick<Schedule, 'instance' | 'end'>,
  scale: TimeScale,
  job: number,
): string {
  const { due, names } = instance;
  const { time, duration } = clockOf(scale);
  const by = due?.[job] ?? -1;
  const late = by < 0 ? 0 : jobEnd({ instance, end }, job) - by;
  return [
    ...(by < 0 ? [] : [`due ${time(by)}${late > 0 ? `, ${duration(late)} late` : ''}`]),
    ...Object.entries(names?.details?.[job] ?? {}).map(([heading, text]) => `${heading}: ${text}`),
  ].join('\n');
}

/** An instant in UTC: `20261123T131000Z`. */
function moment(milliseconds: number): string {
  return isoTime(milliseconds).replaceAll(/[-:]|\.\d+/g, '');
}

const SPECIAL: Readonly<Record<string, string>> = { '\\': '\\\\', ';': '\\;', ',': '\\,' };

/** A text as a value: special characters of calendars are escaped, and control characters are omitted. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => SPECIAL[sign])
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');
}

/** Maximum number of bytes of a line. */
const LONGEST_LINE = 75;

/** Splits a line into lines of 75 bytes; all except the first begin with a space, and no character is split. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  let text = '';
  let bytes = 0;
  for (const sign of line) {
    const length = Buffer.byteLength(sign);
    if (bytes + length > LONGEST_LINE) {
      text += '\r\n ';
      bytes = 1;
    }
    text += sign;
    bytes += length;
  }
  return text;
}
