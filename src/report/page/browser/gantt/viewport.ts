import type { TimeMap } from './time-map.js';

/** The visible part of a chart, in CSS pixels and drawn units of time. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  /** Room for the names of rows, and for the axis above them. */
  readonly gutter: number;
  readonly axis: number;
  /** The height of a row. */
  readonly row: number;
  /** The mapping of times to the axis. */
  readonly map: TimeMap;
  /** The left edge and the visible length, both in units of `map` as drawn. */
  readonly from: number;
  readonly span: number;
  /** Pixels of rows that are scrolled out above. */
  readonly top: number;
  /** Whether the whole time is visible, which stays true if the schedule becomes longer. */
  readonly isWhole: boolean;
}

/** The bounds that a viewport stays within. */
export interface ChartExtent {
  /** The latest time, as it is drawn. */
  readonly last: number;
  readonly rows: number;
}

/** Minimum visible time, in units. */
const LEAST_SPAN = 5;

/** Pixels of a time. */
export function timeToX({ gutter, width, map, from, span }: Viewport, time: number): number {
  return gutter + ((map.toDrawn(time) - from) * (width - gutter)) / span;
}

/** The time at a pixel. */
export function xToTime(port: Viewport, x: number): number {
  return port.map.toTime(xToDrawn(port, x));
}

/** The position of a pixel, in drawn units of time. */
export function xToDrawn({ gutter, width, from, span }: Viewport, x: number): number {
  return from + ((x - gutter) * span) / (width - gutter);
}

/** The first and the last visible time. */
export function timesInSight({ map, from, span }: Viewport): [from: number, to: number] {
  return [map.toTime(from), map.toTime(from + span)];
}

/** A viewport on another map, with the same visible times. */
export function withMap(port: Viewport, map: TimeMap): Viewport {
  if (map === port.map) return port;
  const [first, last] = timesInSight(port);
  const from = map.toDrawn(first);
  return { ...port, map, from, span: Math.max(LEAST_SPAN, map.toDrawn(last) - from) };
}

/** Pixels of the upper edge of a row. */
export function rowToY({ axis, row, top }: Viewport, index: number): number {
  return axis + index * row - top;
}

/** The row at a pixel; fractional, may be out of range. */
export function yToRow({ axis, row, top }: Viewport, y: number): number {
  return (y - axis + top) / row;
}

/** The viewport closest to a requested one that shows nothing outside of the chart. */
export function clampViewport(wish: Viewport, { last, rows }: ChartExtent): Viewport {
  const most = last * 1.02;
  const least = Math.min(LEAST_SPAN, most);
  const span = wish.isWhole ? most : Math.min(Math.max(wish.span, least), most);
  const from = Math.min(Math.max(wish.from, 0), most - span);
  const hidden = rows * wish.row - (wish.height - wish.axis);
  const top = Math.min(Math.max(wish.top, 0), Math.max(0, hidden));
  return { ...wish, span, from, top, isWhole: span === most };
}

/** Zooms by a factor (above 1: in) around a position, in drawn units, that stays in place. */
export function zoomAround(port: Viewport, factor: number, place: number): Viewport {
  const span = port.span / factor;
  return { ...port, span, from: place - (place - port.from) / factor, isWhole: false };
}

/** Scrolls to an operation, with some room around it. */
export function reveal(port: Viewport, start: number, end: number, row: number): Viewport {
  const [from, to] = [port.map.toDrawn(start), port.map.toDrawn(end)];
  const length = to - from;
  let { span, from: left, top } = port;
  if (length > span * 0.8) span = length / 0.6;
  // If the operation would be only a dot, zooms in.
  if ((length / span) * (port.width - port.gutter) < 12 && length > 0) {
    span = Math.min(span, (length * (port.width - port.gutter)) / 40);
  }
  if (span !== port.span || from < left || to > left + span) left = (from + to) / 2 - span / 2;
  const y = row * port.row;
  const room = port.height - port.axis;
  if (y < top) top = y;
  if (y + port.row > top + room) top = y + port.row - room;
  return { ...port, span, from: left, top, isWhole: port.isWhole && span === port.span };
}
