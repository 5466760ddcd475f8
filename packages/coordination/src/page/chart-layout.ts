import type { Bar, ChartRow, MissingFault } from './chart-rows.js';

/** A bar with its offset from the top of its row, in pixels. */
export interface PlacedBar {
  readonly bar: Bar;
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

export const LANE = 22;
const HEADING = 22;
const STRIP = 13;
const PADDING = 3;

/** Stacks rows vertically. Simultaneous bars of a row are in separate lanes, also stacked. */
export function layOut(rows: readonly ChartRow[], top: number): PlacedRow[] {
  let y = top;
  return rows.map((row, at) => {
    const heading = at === 0 || rows[at - 1].group !== row.group ? row.group : null;
    if (heading !== null) y += HEADING;
    const isStrip = ({ kind }: Bar) => kind === 'stay' || kind === 'watch';
    const isBelow = ({ kind }: Bar) => kind === 'wait' || kind === 'ghost';
    const main = row.bars.filter((bar) => !isStrip(bar) && !isBelow(bar));
    const lanes = inLanes(main);
    const strips = inLanes(row.bars.filter(isStrip));
    const count = Math.max(
      row.missing.length > 0 ? 0 : 1,
      lanes.length,
      row.bars.some(isBelow) ? 1 : 0,
    );
    const place = (bars: readonly Bar[], from: number, height: number) =>
      bars.map((bar) => ({ bar, top: from, height }));
    const below = PADDING + count * LANE;
    const bars = [
      ...place(
        row.bars.filter(({ kind }) => kind === 'wait'),
        PADDING,
        LANE - 2,
      ),
      ...lanes.flatMap((lane, i) => place(lane, PADDING + i * LANE, LANE - 2)),
      ...place(
        row.bars.filter(({ kind }) => kind === 'ghost'),
        PADDING,
        LANE - 2,
      ),
      ...strips.flatMap((strip, i) => place(strip, below + i * STRIP, STRIP - 2)),
    ];
    const afterStrips = below + strips.length * STRIP;
    const missing = row.missing.map((fault, i) => ({ fault, top: afterStrips + i * LANE }));
    const height = afterStrips + missing.length * LANE + PADDING;
    const placed = { row, top: y, height, bars, missing, heading };
    y += height;
    return placed;
  });
}

/** Distributes bars to as few lanes as possible, without overlaps. */
function inLanes(bars: readonly Bar[]): Bar[][] {
  const lanes: Bar[][] = [];
  for (const bar of bars.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const lane = lanes.find((one) => one[one.length - 1].end <= bar.start);
    if (lane === undefined) lanes.push([bar]);
    else lane.push(bar);
  }
  return lanes;
}
