import { type ClockWords, clockOf, type TimeScale } from '../../jssp/shop-clock.js';

/** Marks of a time axis at round integer times from `from` to `to`, at most about `most` of them. */
export function timeMarks(from: number, to: number, most: number): number[] {
  const step = roundStep((to - from) / Math.max(1, most));
  const marks: number[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) marks.push(time);
  return marks;
}

/** The smallest of 1, 2, 5, 10, 20, … that is at least as large as the argument. */
function roundStep(least: number): number {
  let power = 1;
  while (power * 10 <= least) power *= 10;
  return [power, 2 * power, 5 * power, 10 * power].find((step) => step >= least) ?? 10 * power;
}

/** A mark of an axis, with its time in words. */
export interface AxisMark {
  readonly time: number;
  readonly label: string;
}

/** Steps between marks on a clock, in seconds. */
const CLOCK_STEPS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

const DAY = 86_400;

/**
 * Marks of an axis for people: with a clock, at full hours or days of its zone, and with the date at the first mark of
 * a day; without one, at round numbers.
 */
export function axisMarks(
  from: number,
  to: number,
  most: number,
  scale: TimeScale | null,
  words?: ClockWords,
): AxisMark[] {
  const numbers = () => timeMarks(from, to, most).map((time) => ({ time, label: String(time) }));
  if (scale === null) return numbers();
  const { unit } = scale;
  const clock = clockOf(scale, words);
  const least = Math.max(unit, ((to - from) * unit) / Math.max(1, most));
  const step = CLOCK_STEPS.find((one) => one >= least) ?? DAY * roundStep(least / DAY);
  const grid = Math.min(step, DAY);
  /** The nearest time at which clocks show a multiple of the step; NaN beyond the range of clocks. */
  const aligned = (time: number) => {
    const parts = /^(\d+):(\d+)(?::(\d+))?/.exec(clock.time(time, time));
    if (parts === null) return Number.NaN;
    const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
    const beyond = (hours * 3600 + minutes * 60 + seconds) % grid;
    return time + (beyond > grid / 2 ? grid - beyond : -beyond) / unit;
  };
  const marks: AxisMark[] = [];
  for (let time = aligned(Math.floor(from)); time <= to; time = aligned(time + step / unit)) {
    const hour = clock.time(time, time);
    const label = hour === '00:00' ? clock.time(time).slice(0, -' 00:00'.length) : hour;
    if (time >= from) marks.push({ time, label });
  }
  return marks.length === 0 ? numbers() : marks;
}
