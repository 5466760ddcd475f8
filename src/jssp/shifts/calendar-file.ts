import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import * as z from 'zod';
import { checkHours } from './hours.js';

/** The name and version of the JSON format of weekly calendars. */
export const CALENDAR_SCHEMA = 'alas-jssp/calendar@1';

const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const DAYS = new RegExp(`^(${DAY_NAMES.join('|')})(?:-(${DAY_NAMES.join('|')}))?$`);

// The messages of these schemas are hints: the problem text describes the value found.
const hour = (hint: string, form: RegExp) =>
  z
    .string(hint)
    .regex(form, hint)
    .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));
const from = hour('give an hour like "06:00"', /^(?:[01]\d|2[0-3]):[0-5]\d$/);
const to = hour(
  'give an hour like "14:00", up to "24:00"',
  /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
);
const date = z.iso.date('give a date like "2026-12-24"');

const daysHint = 'give days like ["Mon-Thu", "Sat"]';
const days = z.array(
  z
    .string(daysHint)
    .transform((text) => DAYS.exec(text.toLowerCase()))
    .refine((found) => found !== null, daysHint)
    .transform((found) => daysFrom(found as RegExpExecArray)),
  daysHint,
);

const breaks = z
  .array(
    z.strictObject({ from, to }, 'give an object with the keys from, to'),
    'give a list of breaks',
  )
  .default([]);

const shift = z.strictObject(
  { days: days.transform((found) => new Set(found.flat())), from, to, breaks },
  'give an object with the keys days, from, to and, if need be, breaks',
);

const extra = z.strictObject(
  { date, from, to, breaks },
  'give an object with the keys date, from, to and, if need be, breaks',
);

const holidays = z
  .array(
    z.union(
      [
        date.transform((day) => ({ from: day, to: day })),
        z
          .strictObject({ from: date, to: date })
          .refine((range) => range.from <= range.to, 'let it end on its first day or later'),
      ],
      'give a date like "2026-12-24", or an object with the keys from, to: first and last day',
    ),
    'give a list of dates',
  )
  .default([]);

const week = z.strictObject(
  {
    /**
     * Whether work interrupted at the end of a shift resumes at the beginning of the next; false: it must fit in one
     * shift.
     */
    resumable: z.boolean('give true or false').default(true),
    shifts: z.array(shift, 'give a list of shifts'),
    holidays,
    /** Shifts of single days, holidays included. */
    extra: z.array(extra, 'give a list of shifts of single days').default([]),
  },
  'give an object with the key shifts and, if need be, resumable, holidays, extra',
);

const calendarSchema = z.strictObject(
  {
    schema: z.literal(CALENDAR_SCHEMA, `give "${CALENDAR_SCHEMA}", and use that format`),
    calendars: z.record(
      z.string().min(1),
      week,
      'give an object with the calendars by their names',
    ),
    /** Days on which no shift of any calendar begins. */
    holidays,
    /** The calendar of each machine, by name. */
    machines: z.record(z.string().min(1), z.string('give the name of a calendar')).default({}),
    /** The calendar of machines that are not listed; without it, every machine must be listed. */
    default: z.string('give the name of a calendar').optional(),
  },
  'give an object with the keys schema, calendars and, if need be, holidays, machines, default',
);

/** Weekly calendars and the machines that use them; hours are minutes after midnight. */
export type ShopCalendars = z.infer<typeof calendarSchema>;

/** A weekly calendar. */
export type Week = z.infer<typeof week>;

/**
 * Reads weekly calendars from a JSON file, plain or gzip, as described in `docs/how-to/shop-data.md`.
 *
 * @throws InputError `bad_calendar` with file and JSON path of a missing, unknown or invalid part
 */
export function readCalendars(file: string): ShopCalendars {
  return parseCalendars(parseJson(readBytes(file), file), file);
}

/** Parses calendars from a JSON document, as {@link readCalendars} does from a file. */
export function parseCalendars(document: unknown, file?: string): ShopCalendars {
  const read = checkJson(calendarSchema, document);
  if (read.fault !== undefined) throw faultError('bad_calendar', read.fault, file);
  const { data } = read;
  const names = Object.keys(data.calendars);
  const named: [string, string][] = Object.entries(data.machines).map(([machine, name]) => [
    `$.machines[${JSON.stringify(machine)}]`,
    name,
  ]);
  if (data.default !== undefined) named.push(['$.default', data.default]);
  for (const [path, name] of named) {
    if (Object.hasOwn(data.calendars, name)) continue;
    const hint = names.length === 0 ? 'describe it under calendars' : suggestNames(name, names);
    throw new InputError(
      'bad_calendar',
      `there is no calendar ${JSON.stringify(name)}`,
      hint,
      { file, path },
      name,
    );
  }
  for (const name of names) {
    for (const list of ['shifts', 'extra'] as const) {
      data.calendars[name][list].forEach((shift, i) => {
        checkHours(shift, file, `$.calendars[${JSON.stringify(name)}].${list}[${i}]`);
      });
    }
  }
  return data;
}

/** The days of `Mon` or `Mon-Fri`, Monday being 1; a range may wrap around Sunday. */
function daysFrom([, first, last = first]: RegExpExecArray): number[] {
  const begin = DAY_NAMES.indexOf(first);
  const length = ((DAY_NAMES.indexOf(last) - begin + 7) % 7) + 1;
  return Array.from({ length }, (_, i) => ((begin + i) % 7) + 1);
}
