import { type ClockWords, clockOf, type TimeScale } from '../../../../jssp/shop-clock.js';
import { type AxisMark, axisMarks } from '../../../chart/time-axis.js';
import { openStretches } from './time-map.js';
import { timesInSight, timeToX, type Viewport } from './viewport.js';

/** Pixels between marks, and of a character of a label. */
const APART = 90;
const CHARACTER = 7;

/**
 * The visible marks of the axis. If time is compressed, days begin after the gaps, and marks that would overlap are
 * omitted.
 */
export function marksInSight(
  port: Viewport,
  scale: TimeScale | null,
  words?: ClockWords,
): readonly AxisMark[] {
  const [from, to] = timesInSight(port);
  const most = (port.width - port.gutter) / APART;
  const { gaps } = port.map;
  if (gaps.length === 0 || scale === null) return axisMarks(from, to, most, scale, words);
  const clock = clockOf(scale, words);
  const days = gaps.flatMap(([, time]): AxisMark[] => {
    if (time < from || time > to) return [];
    return [{ time, label: clock.time(time).replace(/ \d\d:\d\d.*$/, '') }];
  });
  const hours = openStretches(port.map, from, to).flatMap(([begin, end]) =>
    axisMarks(begin, begin + port.span, most, scale, words).filter(({ time }) => time <= end),
  );
  return withoutTouching([...days, ...hours], (time) => timeToX(port, time));
}

/** Marks whose labels do not overlap earlier ones in the list, by time. */
function withoutTouching(marks: readonly AxisMark[], x: (time: number) => number): AxisMark[] {
  const kept: { readonly at: number; readonly half: number; readonly mark: AxisMark }[] = [];
  for (const mark of marks) {
    const at = x(mark.time);
    const half = (mark.label.length * CHARACTER) / 2 + 5;
    if (kept.every((other) => Math.abs(other.at - at) >= other.half + half)) {
      kept.push({ at, half, mark });
    }
  }
  return kept.map(({ mark }) => mark).sort((a, b) => a.time - b.time);
}
