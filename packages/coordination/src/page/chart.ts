import { jobColour, type Markup, markup } from 'alas-jssp/command-line';
import { formatClock } from '../model/clock.js';
import { LANE, layOut, type PlacedBar, type PlacedRow } from './chart-layout.js';
import type { Bar, ChartRow, Fault, MissingFault } from './chart-rows.js';
import type { ChartScale } from './chart-scale.js';

/** The state of a chart that is being drawn. */
interface Canvas {
  readonly scale: ChartScale;
  readonly rows: readonly PlacedRow[];
  readonly height: number;
  /** The prefix of its elements' ids. */
  readonly key: string;
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

/**
 * Draws the rows of a plan: names, which stay in place while the rest scrolls, and bars. Bars and numbers of faults are
 * links to `#KEY-actionN` and `#KEY-faultN`; the first bar of an action has the id `KEY-barN`.
 */
export function drawChart(
  all: readonly ChartRow[],
  {
    scale,
    key,
    now,
  }: { readonly scale: ChartScale; readonly key: string; readonly now: number | null },
): Markup {
  const rows = layOut(all, AXIS);
  const last = rows.at(-1);
  const height = (last === undefined ? AXIS : last.top + last.height) + FOOT;
  const canvas: Canvas = { scale, rows, height, key };
  const { width } = scale;
  const seen = new Set<number>();
  return markup`<div class="plan-chart drawn" role="region" aria-label="chart" tabindex="0">
${drawNames(canvas)}
<svg class="bars" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="who does what, when">
${drawHatches(key)}
${rows.map((row, at) => drawGround(row, at, canvas))}
${scale.marks.map(({ time, label }) => drawMark(scale.x(time), label, height))}
${now !== null && now >= scale.from && now <= scale.until && drawNow(now, canvas)}
${rows.map((row) => row.bars.map((bar) => drawBar(bar, row, canvas, seen)))}
${rows.map((row) => row.missing.map(({ fault, top }) => drawMissing(fault, row, top, canvas)))}
${rows.map((row) => drawLimits(row, canvas))}
</svg></div>`;
}

function drawNames({ rows, height }: Canvas): Markup {
  const shown = rows.map(({ row }) => clip(row.name));
  const width = Math.ceil(Math.max(60, ...shown.map((name) => name.length * LETTER)) + 20);
  return markup`<svg class="names" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="rows">
${rows.map(
  ({ row, top, heading, height: tall }, at) => markup`${
    heading !== null && markup`<text class="heading" x="4" y="${top - 6}">${heading}</text>`
  }${at % 2 === 0 && markup`<rect class="band" y="${top}" width="${width}" height="${tall}"/>`}<text x="10" y="${top + LANE / 2 + 6}">${shown[at]}<title>${row.name}</title></text>
`,
)}<text class="faint" x="4" y="${AXIS - 10}">time</text></svg>`;
}

function clip(name: string): string {
  return name.length <= MOST_NAME ? name : `${name.slice(0, MOST_NAME - 1)}…`;
}

function drawHatches(key: string): Markup {
  const hatch = (id: string, angle: number) =>
    markup`<pattern id="${key}-${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})"><line class="${id}" y2="7"/></pattern>`;
  return markup`<defs>${hatch('slow', 45)}${hatch('wrong', -45)}${hatch('away', 45)}</defs>`;
}

function drawGround({ row, top, height }: PlacedRow, at: number, { scale, key }: Canvas): Markup {
  const { x, from, until, width } = scale;
  const shades = row.shades.filter((shade) => shade.until > from && shade.from < until);
  return markup`${at % 2 === 0 && markup`<rect class="band" y="${top}" width="${width}" height="${height}"/>`}${shades.map(
    (shade) =>
      markup`<rect x="${x(shade.from)}" y="${top}" width="${px(x(shade.until) - x(shade.from))}" height="${height}" fill="url(#${key}-away)"><title>${shade.title}</title></rect>`,
  )}`;
}

function drawMark(x: number, label: string, height: number): Markup {
  const anchor = x === 0 ? 'start' : 'middle';
  return markup`<line class="grid" x1="${x}" x2="${x}" y1="${AXIS - 6}" y2="${height - FOOT}"/><text class="faint" x="${x}" y="${AXIS - 10}" text-anchor="${anchor}">${label}</text>
`;
}

function drawBar(placed: PlacedBar, { row, top }: PlacedRow, canvas: Canvas, seen: Set<number>) {
  const { scale, key } = canvas;
  const { bar } = placed;
  const { action, faults } = bar;
  if (bar.end <= scale.from || bar.start >= scale.until || bar.end < bar.start) return null;
  const left = scale.x(bar.start);
  const width = px(Math.max(3, scale.x(bar.end) - left));
  const box = { left, top: top + placed.top, width, height: placed.height };
  const words = [bar.title, ...faults.map(({ message }) => message)].join('\n');
  const drawn = markup`${drawBlock(bar, box, canvas)}${drawLabel(bar, row, box, scale)}<title>${words}</title>`;
  if (action === null) return markup`<g>${drawn}</g>\n`;
  const id = seen.has(action) ? null : markup` id="${key}-bar${action + 1}"`;
  seen.add(action);
  return markup`<a href="#${key}-action${action + 1}" aria-label="${words}"${id}>${drawn}</a>${badges(faults, left, box.top, key)}\n`;
}

/** The block of a bar, with marks for slow times, changes and faults. */
function drawBlock(
  { kind, colour, slow, change, faults }: Bar,
  { left, top, width, height }: Box,
  { scale, key }: Canvas,
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
  return markup`<rect class="block ${kind}" ${place}${fill}/>${hatched}${changed}${wrong}`;
}

/** The longest label that fits into a bar. In the row of an activity, where there is room, it is next to the bar. */
function drawLabel({ kind, labels, colour }: Bar, row: ChartRow, box: Box, scale: ChartScale) {
  const label = labels.find((one) => one.length * LETTER + 12 <= box.width);
  const y = px(box.top + box.height / 2 + 4);
  if (label === undefined) {
    const hasRoom = row.group === 'Activities' && kind === 'activity';
    return hasRoom ? drawBeside(labels[0], { ...box, inside: 6 }, y, scale, 'faint') : null;
  }
  const fill = colour !== null && markup` fill="${jobColour(colour).text}"`;
  return markup`<text class="${kind}" x="${px(box.left + box.width / 2)}" y="${y}" text-anchor="middle"${fill}>${label}</text>`;
}

/** Fault numbers, each once, as links to the list. */
function badges(faults: readonly Fault[], left: number, top: number, key: string): Markup[] {
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
  { scale, key }: Canvas,
): Markup {
  const [left, y] = [scale.x(fault.from), top + below];
  const width = px(Math.max(20, scale.x(fault.until) - left));
  const box = { left, width, inside: 16 };
  return markup`<g><rect class="missing" x="${left}" y="${y}" width="${width}" height="${LANE - 2}" rx="2"/>${drawBeside(fault.message, box, y + 14, scale, 'bad')}<title>${fault.message}</title></g>${badges([fault], left, y + 8, key)}
`;
}

/** Text inside a box if it fits, else to its right, or to its left at the end of the chart. */
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

function drawLimits({ row, top, height }: PlacedRow, { scale }: Canvas): Markup[] {
  return row.limits
    .filter(({ time }) => time >= scale.from && time <= scale.until)
    .map(({ time, side, title }) => {
      const x = scale.x(time);
      const tip = side === 'from' ? 6 : -6;
      return markup`<path class="limit" d="M${x},${top + height - 1}V${top + 1}l${tip},4l${-tip},4"><title>${title}</title></path>
`;
    });
}

function drawNow(now: number, { scale, height }: Canvas): Markup {
  const x = scale.x(now);
  return markup`<line class="now" x1="${x}" x2="${x}" y1="${AXIS - 6}" y2="${height - FOOT + 4}"/><text x="${Math.min(Math.max(x, 40), scale.width - 40)}" y="${height - 4}" text-anchor="middle">now, ${formatClock(now)}</text>`;
}

/** Pixels, rounded to a tenth. */
function px(value: number): number {
  return Math.round(value * 10) / 10;
}
