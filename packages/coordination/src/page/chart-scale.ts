import { type ChartScale, scaleOver } from 'alas-jssp/chart';
import { formatClock } from '../model/clock.js';
import type { PlanBar, PlanChartRow } from './chart-rows.js';

const WIDTH = 1230;
/** Minimum distance of two marks, in pixels. */
const BETWEEN_MARKS = 70;
const STEPS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];

/**
 * A shared scale for compared charts. It covers all actions, and also now, limits and traffic up to a quarter of the
 * time range beyond them.
 */
export function scaleOf(
  charts: readonly (readonly PlanChartRow[])[],
  now: number | null = null,
): ChartScale {
  const rows = charts.flat();
  const isDone = ({ kind }: PlanBar) => kind !== 'wait' && kind !== 'traffic';
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
  const marks = Array.from({ length: count }, (_, i) => {
    const time = start + i * step;
    return { time, label: formatClock(time) };
  });
  return scaleOver(start, end, width, marks);
}

/** The first and the last of some times; a working day if there are none. */
function boundsOf(times: readonly number[]): readonly [number, number] {
  if (times.length === 0) return [8 * 60, 18 * 60];
  return times.reduce<readonly [number, number]>(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
