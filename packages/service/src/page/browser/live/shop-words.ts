import { type ChartTexts, type ScheduleView, type ViewWords, wordsOfView } from 'alas-jssp/page';
import type { ShopStateAnswer } from '../../../api/shop-schemas.js';

/** The words for a shop on the page and in requests, with its names and its clock if it has them. */
export interface ShopWords extends Omit<ViewWords, 'time'> {
  readonly scale: ScheduleView['timeScale'];
  /** `14:10`, on another day `Tue 24 Nov 14:10`; without a clock the number. */
  time(time: number): string;
  /** The end of an interval with a given start; with its day if that is another one. */
  endTime(end: number, start: number): string;
  /** The time with its day. */
  dayAndTime(time: number): string;
  /** A time of an answer, which is ISO 8601 if there is a clock. */
  timeOfAnswer(time: number | string): string;
  /** The label of a job in requests. */
  jobLabel(job: number): string;
  machineLabel(machine: number): string;
}

/** Creates the words of a shop; times on the day of `now` have no day. */
export function wordsOfShop(view: ScheduleView, now: number, texts: ChartTexts): ShopWords {
  const { names, timeScale: scale } = view;
  const words = wordsOfView(view, texts);
  const time = (at: number) => words.time(at, now);
  return {
    ...words,
    scale,
    time,
    endTime: (end, start) => words.time(end, start),
    dayAndTime: (at) => words.time(at),
    timeOfAnswer: (at) =>
      time(scale === null || typeof at === 'number' ? Number(at) : unitsOf(scale, at)),
    jobLabel: (j) => names?.jobs?.[j] || `Job${j + 1}`,
    machineLabel: (k) => names?.machines?.[k] || `Machine${k}`,
  };
}

/** Converts a time in ISO 8601 with an offset to units. */
function unitsOf({ epoch, unit }: NonNullable<ShopStateAnswer['time_scale']>, iso: string): number {
  return (Date.parse(iso) - Date.parse(epoch)) / (unit * 1000);
}
