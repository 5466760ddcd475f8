import type { ScheduleView } from '../../../../harness/page/schedule-data.js';
import type { ShopStateAnswer } from '../../../api/shop-schemas.js';
import { LOCALE, texts } from '../../texts.js';

type Scale = NonNullable<ShopStateAnswer['time_scale']>;

/** How a shop is spoken of on the page, and in requests: by its names and its clock, where it has them. */
export interface ShopWords {
  readonly scale: Scale | null;
  job(job: number): string;
  machine(machine: number): string;
  step(op: number): string;
  operation(op: number): string;
  /** `14:10`, on another day `Tue 24 Nov 14:10`; without a clock the number. */
  time(time: number): string;
  /** A time of an answer, which is ISO 8601 where there is a clock. */
  wire(time: number | string): string;
  /** `12 min`; without a clock the number. */
  duration(units: number): string;
  /** The job of each operation. */
  readonly jobOf: Int32Array;
  /** Labels of requests. */
  jobLabel(job: number): string;
  machineLabel(machine: number): string;
}

/** The words of a shop; `now` tells which day needs no name. */
export function wordsOfShop(view: ScheduleView, scale: Scale | null, now: number): ShopWords {
  const { jobs, jobOffset, machine } = view;
  const jobOf = new Int32Array(machine.length);
  for (let job = 0; job < jobs; job++) jobOf.fill(job, jobOffset[job], jobOffset[job + 1]);
  const names = 'names' in view ? (view.names as Names | null) : null;
  const job = (j: number) => names?.jobs?.[j] || texts.words.job(j + 1);
  const step = (op: number) =>
    names?.operations?.[op] || texts.words.step(op - jobOffset[jobOf[op]] + 1);
  const time = scale === null ? String : clockOf(scale, now);
  return {
    scale,
    jobOf,
    job,
    machine: (k) => names?.machines?.[k] || texts.words.machine(k),
    step,
    operation: (op) => `${job(jobOf[op])}, ${step(op)}`,
    time,
    wire: (at) =>
      typeof at === 'number' || scale === null ? time(Number(at)) : time(unitsOf(scale, at)),
    duration: (units) => (scale === null ? String(units) : texts.words.seconds(units * scale.unit)),
    jobLabel: (j) => names?.jobs?.[j] || `Job${j + 1}`,
    machineLabel: (k) => names?.machines?.[k] || `Machine${k}`,
  };
}

/** The units of a time in ISO 8601 with its offset; a zone in brackets behind it says nothing more. */
function unitsOf({ epoch, unit }: Scale, iso: string): number {
  return (Date.parse(iso.replace(/\[.*$/, '')) - Date.parse(epoch)) / (unit * 1000);
}

interface Names {
  readonly jobs: readonly string[] | null;
  readonly machines: readonly string[] | null;
  readonly operations: readonly string[] | null;
}

/** Times on the wall of a shop. */
function clockOf({ epoch, unit, zone }: Scale, now: number): (time: number) => string {
  const zero = Date.parse(epoch);
  const at = (time: number) => zero + time * unit * 1000;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options });
  const day = format({ dateStyle: 'short' });
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = format({ weekday: 'short', day: 'numeric', month: 'short' });
  const today = day.format(at(now));
  return (time) => {
    const hour = clock.format(at(time));
    return day.format(at(time)) === today ? hour : `${date.format(at(time))} ${hour}`;
  };
}

/** The day and the time of a shop, for its head. */
export function dayAndTime({ epoch, unit, zone }: Scale, time: number): string {
  const at = Date.parse(epoch) + time * unit * 1000;
  const format = new Intl.DateTimeFormat(LOCALE, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return format.format(at);
}
