import { type Markup, markup } from '../page/markup.js';
import type {
  ChartBar,
  ChartConflict,
  ChartFault,
  ChartRow,
  ChartShade,
  MissingFault,
} from './chart.js';
import { jobColour } from './job-colours.js';
import { layOut, type PlacedBar, type PlacedRow, type RowMeasures } from './row-layout.js';
import type { AxisMark } from './time-axis.js';

/** The time range of a chart, and its projection to pixels. */
export interface ChartScale {
  readonly from: number;
  readonly until: number;
  /** Pixels. */
  readonly width: number;
  /** The pixel of a time; times outside the range are clamped to it. */
  readonly x: (time: number) => number;
  readonly marks: readonly AxisMark[];
}

/** A chart to draw, and the look of its drawing. */
export interface ChartDrawing {
  readonly rows: readonly ChartRow[];
  readonly scale: ChartScale;
  readonly measures: RowMeasures;
  /** The prefix of the ids of its elements. */
  readonly key: string;
  /** The current time, in words; null for none. */
  readonly now: AxisMark | null;
  /** Pixels of a bar that its label leaves free, which is also the minimum width of a bar. */
  readonly labelMargin: number;
  readonly leastWidth: number;
  /** Whether bars are links. */
  readonly hasLinks: boolean;
}

/** A drawing with its rows at their places. */
export interface DrawnChart extends Omit<ChartDrawing, 'rows'> {
  readonly rows: readonly PlacedRow[];
  readonly height: number;
}

/** A rectangle in the chart, in pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const AXIS = 24;
const FOOT = 22;
/** Approximate width of a letter, in pixels. */
const LETTER = 6.8;
const MOST_NAME = 20;

/** A projection of times to pixels, to a tenth. */
export function scaleOver(
  from: number,
  until: number,
  width: number,
  marks: readonly AxisMark[],
): ChartScale {
  const x = (time: number) =>
    px(((Math.min(Math.max(time, from), until) - from) * width) / (until - from));
  return { from, until, width, x, marks };
}

/** Places the rows of a chart below its axis. */
export function placeRows(drawing: ChartDrawing): DrawnChart {
  const rows = layOut(drawing.rows, AXIS, drawing.measures);
  const last = rows.at(-1);
  return { ...drawing, rows, height: (last === undefined ? AXIS : last.top + last.height) + FOOT };
}

/**
 * Draws a chart for a page: names, which stay in place while the rest scrolls, and bars. Bars and numbers of faults are
 * links to `#KEY-actionN` and `#KEY-faultN`; the first bar of an item has the id `KEY-barN`.
 */
export function drawChart(drawing: ChartDrawing): Markup {
  const chart = placeRows(drawing);
  const { height, scale, key } = chart;
  const namesWidth = widthOfNames(drawing.rows);
  return markup`<div class="plan-chart drawn" role="region" aria-label="chart" tabindex="0">
<svg class="names" width="${namesWidth}" height="${height}" viewBox="0 0 ${namesWidth} ${height}" role="group" aria-label="rows">
${drawNames(chart, namesWidth)}<text class="faint" x="4" y="${AXIS - 10}">time</text></svg>
<svg class="bars" width="${scale.width}" height="${height}" viewBox="0 0 ${scale.width} ${height}" role="group" aria-label="who does what, when">
${drawHatches(key, drawing.rows)}
${drawBars(chart)}
</svg></div>`;
}

/** The bars with everything around them, without their svg element. */
export function drawBars(chart: DrawnChart): Markup {
  const { rows, scale, height, now } = chart;
  const seen = new Set<number>();
  return markup`${rows.map((row, at) => drawGround(row, at, chart))}
${scale.marks.map(({ time, label }) => drawMark(scale.x(time), label, height))}
${now !== null && now.time >= scale.from && now.time <= scale.until && drawNow(now, chart)}
${rows.map((row) => row.bars.map((bar) => drawBar(bar, row, chart, seen)))}
${rows.map((row) => row.missing.map(({ fault, top }) => drawMissing(fault, row, top, chart)))}
${rows.map((row) => drawLimits(row, chart))}`;
}

/** Pixels that the names of rows take. */
export function widthOfNames(rows: readonly ChartRow[]): number {
  const longest = rows.reduce((most, { name }) => Math.max(most, clip(name).length), 0);
  return Math.ceil(Math.max(60, longest * LETTER) + 20);
}

/** The names of rows and groups, without their svg element. */
export function drawNames({ rows, measures }: DrawnChart, width: number): Markup {
  return markup`${rows.map(
    ({ row, top, heading, height }, at) => markup`${
      heading !== null && markup`<text class="heading" x="4" y="${top - 6}">${heading}</text>`
    }${at % 2 === 0 && markup`<rect class="band" y="${top}" width="${width}" height="${height}"/>`}<text x="10" y="${top + measures.padding + measures.lane / 2 + 3}">${clip(row.name)}<title>${row.name}</title></text>
`,
  )}`;
}

function clip(name: string): string {
  return name.length <= MOST_NAME ? name : `${name.slice(0, MOST_NAME - 1)}…`;
}

/** The patterns of hatched areas, as the drawings and their legends name them. */
export function drawHatches(key: string, rows: readonly Pick<ChartRow, 'setups'>[]): Markup {
  const hasSetups = rows.some(({ setups }) => setups.length > 0);
  const hatch = (id: string, angle: number) =>
    markup`<pattern id="${key}-${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})"><line class="${id}" y2="7"/></pattern>`;
  return markup`<defs>${hatch('slow', 45)}${hatch('wrong', -45)}${hatch('away', 45)}${hasSetups && hatch('setup', -45)}</defs>`;
}

function drawGround({ row, top, height }: PlacedRow, at: number, chart: DrawnChart) {
  const { scale, key } = chart;
  const { x, from, until, width } = scale;
  const inSight = (shade: ChartShade) => shade.until > from && shade.from < until;
  const shades = row.shades.filter(inSight);
  const setups = row.setups.filter(inSight);
  return markup`${at % 2 === 0 && markup`<rect class="band" y="${top}" width="${width}" height="${height}"/>`}${shades.map(
    (shade) =>
      markup`<rect x="${x(shade.from)}" y="${top}" width="${px(x(shade.until) - x(shade.from))}" height="${height}" fill="url(#${key}-away)"><title>${shade.title}</title></rect>`,
  )}${setups.map((setup) => drawSetup(setup, top, height, chart))}`;
}

/** A setup: lower than the bars, so that it is not taken for one. */
function drawSetup(
  { from, until, title }: ChartShade,
  top: number,
  height: number,
  { scale: { x }, key }: DrawnChart,
): Markup {
  const [left, width] = [x(from), px(x(until) - x(from))];
  const [y, tall] = [px(top + height * 0.3), px(height * 0.4)];
  return markup`<rect class="prepare" x="${left}" y="${y}" width="${width}" height="${tall}" fill="url(#${key}-setup)"><title>${title}</title></rect>`;
}

function drawMark(x: number, label: string, height: number): Markup {
  const anchor = x === 0 ? 'start' : 'middle';
  return markup`<line class="grid" x1="${x}" x2="${x}" y1="${AXIS - 6}" y2="${height - FOOT}"/><text class="faint" x="${x}" y="${AXIS - 10}" text-anchor="${anchor}">${label}</text>
`;
}

function drawBar(placed: PlacedBar, { top }: PlacedRow, chart: DrawnChart, seen: Set<number>) {
  const { scale, key, leastWidth, hasLinks } = chart;
  const { bar } = placed;
  const { item, faults } = bar;
  if (bar.end <= scale.from || bar.start >= scale.until || bar.end < bar.start) return null;
  if (bar.end === bar.start && leastWidth === 0) return null;
  const left = scale.x(bar.start);
  const width = px(Math.max(leastWidth, scale.x(bar.end) - left));
  const box = { left, top: top + placed.top, width, height: placed.height };
  const words = [bar.title, ...faults.map(({ message }) => message)].join('\n');
  const title = words !== '' && markup`<title>${words}</title>`;
  const drawn = markup`${drawBlock(bar, box, chart)}${drawLabel(bar, box, chart)}${title}`;
  if (item === null || !hasLinks) return markup`<g>${drawn}</g>\n`;
  const id = seen.has(item) ? null : markup` id="${key}-bar${item + 1}"`;
  seen.add(item);
  return markup`<a href="#${key}-action${item + 1}" aria-label="${words}"${id}>${drawn}</a>${badges(faults, left, box.top, key)}\n`;
}

/** The block of a bar, with marks for slow times, changes and faults. */
function drawBlock(
  { kind, colour, slow, change, faults }: ChartBar,
  { left, top, width, height }: Box,
  { scale, key }: DrawnChart,
): Markup {
  const place = markup`x="${left}" y="${top}" width="${width}" height="${height}" rx="2"`;
  const fill = colour !== null && markup` fill="${jobColour(colour).fill}"`;
  const hatched = slow.map(([from, until]) => {
    const slowWidth = px(scale.x(until) - scale.x(from));
    return markup`<rect x="${scale.x(from)}" y="${top}" width="${slowWidth}" height="${height}" fill="url(#${key}-slow)"/>`;
  });
  const changed = change !== null && markup`<rect class="change ${change}" ${place}/>`;
  const wrong =
    faults.length > 0 && markup`<rect class="fault" ${place} fill="url(#${key}-wrong)"/>`;
  return markup`<rect class="bar ${kind}" ${place}${fill}/>${hatched}${changed}${wrong}`;
}

/** The longest label that fits into a bar, or a label next to it. */
function drawLabel(
  { kind, labels, colour, isLabelledBeside }: ChartBar,
  box: Box,
  { scale, labelMargin }: DrawnChart,
): Markup | null {
  const label = labels.find((one) => one.length * LETTER + labelMargin <= box.width);
  const y = px(box.top + box.height / 2 + 4);
  if (label === undefined) {
    return isLabelledBeside
      ? drawBeside(labels[0], { ...box, inside: 6 }, y, scale, 'faint')
      : null;
  }
  const fill = colour !== null && markup` fill="${jobColour(colour).text}"`;
  return markup`<text class="${kind}" x="${px(box.left + box.width / 2)}" y="${y}" text-anchor="middle"${fill}>${label}</text>`;
}

/** Fault numbers, each once, as links to the list. */
function badges(faults: readonly ChartFault[], left: number, top: number, key: string): Markup[] {
  const numbers = [...new Set(faults.map(({ number }) => number))];
  return numbers.map((number, at) => {
    const x = px(Math.max(8, left + 3) + at * 15);
    return markup`<a href="#${key}-fault${number}" class="badge" aria-label="fault ${number}"><circle cx="${x}" cy="${top + 2}" r="7.5"/><text x="${x}" y="${top + 6}" text-anchor="middle">${number}</text></a>`;
  });
}

function drawMissing(
  fault: MissingFault,
  { top }: PlacedRow,
  below: number,
  { scale, key, measures }: DrawnChart,
): Markup {
  const [left, y] = [scale.x(fault.from), top + below];
  const width = px(Math.max(20, scale.x(fault.until) - left));
  const box = { left, width, inside: 16 };
  return markup`<g><rect class="missing" x="${left}" y="${y}" width="${width}" height="${measures.lane - 2}" rx="2"/>${drawBeside(fault.message, box, y + 14, scale, 'bad')}<title>${fault.message}</title></g>${badges([fault], left, y + 8, key)}
`;
}

/** Draws a text inside a box if it fits, else to the right of the box, or to the left at the end of the chart. */
function drawBeside(
  text: string,
  {
    left,
    width,
    inside,
  }: { readonly left: number; readonly width: number; readonly inside: number },
  y: number,
  scale: ChartScale,
  kind: string,
): Markup {
  const length = text.length * LETTER;
  const isInside = length + inside + 4 <= width;
  const right = isInside ? left + inside : left + width + 6;
  const [x, anchor] = right + length <= scale.width ? [right, 'start'] : [left - 6, 'end'];
  return markup`<text class="${kind}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** The limits of a row, and its conflicts, over its whole height. */
function drawLimits({ row, top, height }: PlacedRow, { scale, key }: DrawnChart): Markup {
  const limits = row.limits.filter(({ time }) => time >= scale.from && time <= scale.until);
  const drawConflict = ({ from, until, title }: ChartConflict) => {
    const [left, right] = [scale.x(from), scale.x(Math.max(from, until))];
    return markup`<rect class="fault" x="${left}" y="${top + 1}" width="${px(Math.max(4, right - left))}" height="${height - 2}" fill="url(#${key}-wrong)"><title>${title}</title></rect>
`;
  };
  return markup`${limits.map(({ time, side, title }) => {
    const x = scale.x(time);
    const tip = side === 'from' ? 6 : -6;
    return markup`<path class="limit" d="M${x},${top + height - 1}V${top + 1}l${tip},4l${-tip},4"><title>${title}</title></path>
`;
  })}${row.conflicts.map(drawConflict)}`;
}

/** Draws a line at the current time; in pages it is behind the bars, so that it does not cross out their labels. */
export function drawNow({ time, label }: AxisMark, { scale, height }: DrawnChart): Markup {
  const x = scale.x(time);
  return markup`<line class="now" x1="${x}" x2="${x}" y1="${AXIS - 6}" y2="${height - FOOT + 4}"/><text x="${Math.min(Math.max(x, 40), scale.width - 40)}" y="${height - 4}" text-anchor="middle">${label}</text>`;
}

/** Pixels, rounded to a tenth. */
export function px(value: number): number {
  return Math.round(value * 10) / 10;
}
