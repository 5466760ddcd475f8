import type { DowntimeColumns } from '../../views/schedule-data.js';

/** A stretch of time. */
export type TimeStretch = readonly [from: number, to: number];

/** The mapping of times to drawn units along the axis: stretches without work may be compressed. */
export interface TimeMap {
  /** The compressed stretches, ascending and disjoint. */
  readonly gaps: readonly TimeStretch[];
  toDrawn(time: number): number;
  toTime(drawn: number): number;
}

/** The mapping without compression. */
export const STRAIGHT_TIME: TimeMap = {
  gaps: [],
  toDrawn: (time) => time,
  toTime: (drawn) => drawn,
};

/**
 * Compresses stretches to a length of `short` each, unless they are hardly longer; all other time is unchanged.
 *
 * @param stretches ascending and disjoint
 */
export function compressTime(stretches: readonly TimeStretch[], short: number): TimeMap {
  const gaps = stretches.filter(([from, to]) => to - from > 2 * short);
  if (gaps.length === 0) return STRAIGHT_TIME;
  // The beginnings and ends of gaps, in times and in drawn units.
  const times: number[] = [];
  const drawn: number[] = [];
  let saved = 0;
  for (const [from, to] of gaps) {
    times.push(from, to);
    drawn.push(from - saved, from - saved + short);
    saved += to - from - short;
  }
  return {
    gaps,
    toDrawn: (time) => interpolate(times, drawn, time),
    toTime: (place) => interpolate(drawn, times, place),
  };
}

/** The value of a piecewise linear function through points, with slope 1 before the first and after the last. */
function interpolate(from: readonly number[], to: readonly number[], at: number): number {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[middle] <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return to[0] + (at - from[0]);
  const before = low - 1;
  if (low === from.length) return to[before] + (at - from[before]);
  const share = (at - from[before]) / (from[low] - from[before]);
  return to[before] + share * (to[low] - to[before]);
}

/** The stretches in which all machines are closed, ascending and disjoint. */
export function commonStretches(closed: DowntimeColumns, machines: number): TimeStretch[] {
  const edges = closed.machine
    .flatMap((_, i) => [
      { time: closed.from[i], by: 1 },
      { time: closed.to[i], by: -1 },
    ])
    .sort((a, b) => a.time - b.time || a.by - b.by);
  const stretches: TimeStretch[] = [];
  let count = 0;
  let since = 0;
  for (const { time, by } of edges) {
    if (count === machines && time > since) stretches.push([since, time]);
    count += by;
    since = time;
  }
  return stretches;
}

/** The time at which a number of units outside of gaps has passed. */
export function afterOpenTime({ gaps }: TimeMap, from: number, length: number): number {
  let end = from + length;
  for (const [begin, stop] of gaps) {
    if (begin >= end) break;
    if (stop > from) end += stop - Math.max(begin, from);
  }
  return end;
}

/** The parts of a stretch of time outside of gaps. */
export function openStretches({ gaps }: TimeMap, from: number, to: number): TimeStretch[] {
  const edges = [from, ...gaps.filter(([a, b]) => b > from && a < to).flat(), to];
  return edges.flatMap((edge, i) =>
    i % 2 === 0 && edge < edges[i + 1] ? [[edge, edges[i + 1]] as const] : [],
  );
}
