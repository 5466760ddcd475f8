import type { ChartBar, ChartRow, MissingFault } from './chart.js';

/** A bar with its offset from the top of its row, in pixels. */
export interface PlacedBar {
  readonly bar: ChartBar;
  readonly top: number;
  readonly height: number;
}

/** A row at its place in the chart. */
export interface PlacedRow {
  readonly row: ChartRow;
  readonly top: number;
  readonly height: number;
  readonly bars: readonly PlacedBar[];
  /** Missing things, one below another. */
  readonly missing: readonly { readonly fault: MissingFault; readonly top: number }[];
  /** The heading above the row; set for the first row of a group. */
  readonly heading: string | null;
}

/** How rows are stacked, in pixels. */
export interface RowMeasures {
  /** Height of a lane, with a gap of 2 below its bars. */
  readonly lane: number;
  /** Space above and below the lanes of a row. */
  readonly padding: number;
  /** Whether simultaneous bars of a row are drawn one below another, rather than over each other. */
  readonly hasLanes: boolean;
}

const HEADING = 22;
const STRIP = 13;

/** Stacks rows vertically. */
export function layOut(
  rows: readonly ChartRow[],
  top: number,
  { lane, padding, hasLanes }: RowMeasures,
): PlacedRow[] {
  let y = top;
  return rows.map((row, at) => {
    const heading = at === 0 || rows[at - 1].group !== row.group ? row.group : null;
    if (heading !== null) y += HEADING;
    const only = (one: ChartBar['place']) => row.bars.filter((bar) => bar.place === one);
    const [behind, before] = [only('behind'), only('before')];
    const lanes = hasLanes ? inLanes(only('lane')) : [only('lane')];
    const strips = inLanes(only('strip'));
    const isBare = row.missing.length > 0 && behind.length + before.length === 0;
    const below = padding + Math.max(isBare ? 0 : 1, lanes.length) * lane;
    const place = (bars: readonly ChartBar[], from: number, tall: number) =>
      bars.map((bar) => ({ bar, top: from, height: tall - 2 }));
    const bars = [
      ...place(behind, padding, lane),
      ...lanes.flatMap((one, i) => place(one, padding + i * lane, lane)),
      ...place(before, padding, lane),
      ...strips.flatMap((strip, i) => place(strip, below + i * STRIP, STRIP)),
    ];
    const afterStrips = below + strips.length * STRIP;
    const missing = row.missing.map((fault, i) => ({ fault, top: afterStrips + i * lane }));
    const height = afterStrips + missing.length * lane + padding;
    const placed = { row, top: y, height, bars, missing, heading };
    y += height;
    return placed;
  });
}

/** Distributes bars to as few lanes as possible, without overlaps. */
function inLanes(bars: readonly ChartBar[]): ChartBar[][] {
  const lanes: ChartBar[][] = [];
  for (const bar of bars.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const lane = lanes.find((one) => one[one.length - 1].end <= bar.start);
    if (lane === undefined) lanes.push([bar]);
    else lane.push(bar);
  }
  return lanes;
}
