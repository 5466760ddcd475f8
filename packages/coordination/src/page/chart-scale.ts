import { formatClock } from '../model/clock.js';
import type { Bar, ChartRow } from './chart-rows.js';

/** The time range of a chart, and its projection to pixels. */
export interface ChartScale {
  readonly from: number;
  readonly until: number;
  /** Pixels. */
  readonly width: number;
  readonly x: (time: number) => number;
  readonly marks: readonly { readonly time: number; readonly label: string }[];
}

const WIDTH = 1230;
/** Minimum distance of two marks, in pixels. */
const BETWEEN_MARKS = 70;
const STEPS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];

/**
 * A shared scale for compared charts. It covers all actions, and also now, limits and traffic up to a quarter of the
 * time range beyond them.
 */
export function scaleOf(
  charts: readonly (readonly ChartRow[])[],
  now: number | null = null,
): ChartScale {
  const rows = charts.flat();
  const isDone = ({ kind }: Bar) => kind !== 'wait' && kind !== 'traffic';
  const bars = rows.flatMap((row) => row.bars.filter(isDone));
  const times = bars.flatMap(({ start, end }) => [start, end]);
  const others = rows
    .flatMap(({ limits, shades, bars: all }) => [
      ...limits.map(({ time }) => time),
      ...shades.flatMap(({ from, until }) => [from, until]),
      ...all.filter((bar) => !isDone(bar)).flatMap(({ start, end }) => [start, end]),
    ])
    .concat(now ?? [])
    .filter(Number.isFinite);
  const [first, last] = boundsOf(times.length > 0 ? times : others);
  const margin = Math.max(30, (last - first) / 4);
  const near = others.filter((time) => time >= first - margin && time <= last + margin);
  const [from, until] = boundsOf([first, last, ...near]);
  const step = STEPS.find((one) => (until - from) / one <= WIDTH / BETWEEN_MARKS) ?? 1440;
  const [start, end] = [Math.floor(from / step) * step, Math.ceil((until + 1) / step) * step];
  // Widens a long day, so that the bars of an hour stay readable.
  const width = Math.max(WIDTH, Math.round((end - start) * 1.2));
  const count = Math.round((end - start) / step);
  return {
    from: start,
    until: end,
    width,
    x: (time) =>
      Math.round(((Math.min(Math.max(time, start), end) - start) * width * 10) / (end - start)) /
      10,
    marks: Array.from({ length: count }, (_, i) => {
      const time = start + i * step;
      return { time, label: formatClock(time) };
    }),
  };
}

/** The first and the last of some times; a working day if there are none. */
function boundsOf(times: readonly number[]): readonly [number, number] {
  if (times.length === 0) return [8 * 60, 18 * 60];
  return times.reduce<readonly [number, number]>(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
