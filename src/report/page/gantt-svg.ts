import { jobColour } from './job-colours.js';
import { timeMarks } from './time-axis.js';
import type { ScheduleView } from './views/schedule-data.js';

/** Size of a drawing. */
export interface SvgStyle {
  /** Pixels; default 1200. */
  readonly width?: number | undefined;
  /** The time to mark; default none. */
  readonly now?: number | undefined;
}

const GUTTER = 96;
const RIGHT = 16;
const TOP = 44;
const FOOT = 64;

/** Bars that get a title of their own, which browsers show under the mouse. */
const MOST_TITLES = 5000;

/** Pixels of a digit of the text on bars. */
const DIGIT = 7;

const STYLE = `
text{font:12px "DejaVu Sans",Verdana,sans-serif;fill:#1b1b1f}
.title{font-weight:bold;font-size:14px}
.faint{fill:#5c5f66}
.grid{stroke:#d5d7dc}
.row{fill:#f3f4f6}
.bar{stroke:#ffffff;stroke-width:1}
.path{fill:none;stroke:#1b1b1f;stroke-width:1.5}
.critical{fill:none;stroke:#1b1b1f;stroke-width:2.5}
.wrong{fill:url(#wrong);stroke:#b00020;stroke-width:2}
.now{stroke:#1b1b1f;stroke-width:2;stroke-dasharray:6 3}
`;

/** The state of a drawing: its scales of time and rows. */
interface Canvas {
  readonly view: ScheduleView;
  readonly width: number;
  readonly height: number;
  readonly row: number;
  readonly last: number;
  x(time: number): number;
  y(machine: number): number;
}

/**
 * Draws a schedule or a plan with faults as a complete SVG document: one row per machine, one bar per operation with
 * the number of its job (from 1), the critical path outlined and joined, downtimes hatched, and violations crossed in
 * red. It uses light colours, for paper. Operations of zero duration are not drawn.
 */
export function ganttSvg(view: ScheduleView, { width = 1200, now }: SvgStyle = {}): string {
  const last = Math.max(1, view.makespan, (now ?? 0) + 1);
  const row = view.machines > 40 ? 16 : 24;
  const scale = (Math.max(200, width) - GUTTER - RIGHT) / last;
  const canvas: Canvas = {
    view,
    row,
    last,
    width: Math.max(200, width),
    height: TOP + view.machines * row + FOOT,
    x: (time) => GUTTER + time * scale,
    y: (machine) => TOP + machine * row,
  };
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}" viewBox="0 0 ${canvas.width} ${canvas.height}" role="img">`,
    `<title>${escapeXml(titleOf(view))}</title>`,
    `<style>${STYLE}</style>`,
    hatches(),
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<text class="title" x="${GUTTER}" y="20">${escapeXml(titleOf(view))}</text>`,
    ...drawGrid(canvas),
    ...drawDowntimes(canvas),
    ...drawBars(canvas),
    ...drawCritical(canvas),
    ...drawViolations(canvas),
    ...(now === undefined ? [] : drawNow(canvas, now)),
    ...drawLegend(canvas),
    '</svg>',
    '',
  ];
  return lines.join('\n');
}

function titleOf({ instance, makespan, missing, violations, counts, valid }: ScheduleView): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const faults = valid ? '' : `, invalid: ${all} violation${all === 1 ? '' : 's'}`;
  const first = valid || violations.length === 0 ? '' : ` (${violations[0].code})`;
  return `${instance}: makespan ${makespan}${missing === 0 ? '' : `, ${missing} operations missing`}${faults}${first}`;
}

function hatches(): string {
  const hatch = (id: string, stroke: string, angle: number) =>
    `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})">` +
    `<line y2="6" stroke="${stroke}" stroke-width="3"/></pattern>`;
  return `<defs>${hatch('down', '#9a9ea6', 45)}${hatch('wrong', '#b00020', -45)}</defs>`;
}

function drawGrid({ view, row, width, height, last, x, y }: Canvas): string[] {
  const bottom = height - FOOT;
  const rows = Array.from({ length: view.machines }, (_, k) => {
    const band =
      k % 2 === 0
        ? `<rect class="row" x="${GUTTER}" y="${y(k)}" width="${width - GUTTER - RIGHT}" height="${row}"/>`
        : '';
    return `${band}<text x="${GUTTER - 8}" y="${y(k) + row / 2 + 4}" text-anchor="end">Machine${k}</text>`;
  });
  const marks = timeMarks(0, last, (width - GUTTER) / 80).map(
    (time) =>
      `<line class="grid" x1="${px(x(time))}" x2="${px(x(time))}" y1="${TOP - 4}" y2="${bottom}"/>` +
      `<text class="faint" x="${px(x(time))}" y="${TOP - 8}" text-anchor="middle">${time}</text>`,
  );
  return [...rows, ...marks];
}

function drawDowntimes({ view: { downtimes }, row, last, x, y }: Canvas): string[] {
  return downtimes.machine.flatMap((machine, i) => {
    const [from, to] = [downtimes.from[i], Math.min(last, downtimes.to[i])];
    if (to <= from) return [];
    return `<rect x="${px(x(from))}" y="${y(machine)}" width="${px(x(to) - x(from))}" height="${row}" fill="url(#down)"><title>down from ${from} to ${downtimes.to[i]}</title></rect>`;
  });
}

function drawBars({ view, row, x, y }: Canvas): string[] {
  const bars: string[] = [];
  const isTitled = view.machine.length <= MOST_TITLES;
  for (let job = 0; job < view.jobs; job++) {
    const { fill, text } = jobColour(job);
    for (let op = view.jobOffset[job]; op < view.jobOffset[job + 1]; op++) {
      const [start, end] = [view.start[op], view.end[op]];
      if (start < 0 || end <= start) continue;
      const width = x(end) - x(start);
      const top = y(view.machine[op]) + 2;
      const title = isTitled
        ? `<title>job ${job + 1}, step ${op - view.jobOffset[job] + 1}: ${start} to ${end}${slackWords(view, op)}</title>`
        : '';
      bars.push(
        `<rect class="bar" x="${px(x(start))}" y="${top}" width="${px(width)}" height="${row - 4}" fill="${fill}">${title}</rect>`,
      );
      const label = String(job + 1);
      if (width < label.length * DIGIT + 4) continue;
      bars.push(
        `<text x="${px(x(start) + width / 2)}" y="${top + row / 2 + 2}" text-anchor="middle" style="fill:${text}">${label}</text>`,
      );
    }
  }
  return bars;
}

function slackWords({ slack }: ScheduleView, op: number): string {
  return slack === null ? '' : `, slack ${slack[op]}`;
}

function drawCritical({ view, row, x, y }: Canvas): string[] {
  const drawn = view.critical.filter((op) => view.end[op] > view.start[op]);
  if (drawn.length === 0) return [];
  const middle = (op: number) => px(y(view.machine[op]) + row / 2);
  // From bar to bar: across a bar it would strike its number out.
  const line = drawn
    .slice(1)
    .map((op, i) => {
      const before = drawn[i];
      const [from, to] = [px(x(view.end[before])), px(x(view.start[op]))];
      if (from === to && view.machine[before] === view.machine[op]) return '';
      return `M${from},${middle(before)}L${to},${middle(op)}`;
    })
    .join('');
  const boxes = drawn.map((op) => {
    const [left, right] = [x(view.start[op]), x(view.end[op])];
    return `<rect class="critical" x="${px(left + 1)}" y="${y(view.machine[op]) + 2}" width="${px(Math.max(1, right - left - 2))}" height="${row - 4}"/>`;
  });
  return [`<path class="path" d="${line}" stroke-dasharray="2 2"/>`, ...boxes];
}

function drawViolations({ view, row, last, x, y }: Canvas): string[] {
  return view.violations.flatMap(({ stretch, machine, message }) => {
    if (stretch === null || machine < 0 || machine >= view.machines) return [];
    const from = Math.max(0, stretch[0]);
    const to = Math.min(last, Math.max(stretch[1], from));
    const width = Math.max(4, x(to) - x(from));
    return `<rect class="wrong" x="${px(x(from))}" y="${y(machine) + 1}" width="${px(width)}" height="${row - 2}"><title>${escapeXml(message)}</title></rect>`;
  });
}

function drawNow({ height, x }: Canvas, now: number): string[] {
  const at = px(x(now));
  return [
    `<line class="now" x1="${at}" x2="${at}" y1="${TOP - 4}" y2="${height - FOOT + 4}"/>`,
    `<text x="${at}" y="${height - FOOT + 18}" text-anchor="middle">now ${now}</text>`,
  ];
}

function drawLegend({ view, height }: Canvas): string[] {
  const y = height - 22;
  const items: [string, string][] = [['numbers are jobs', '']];
  if (view.critical.length > 0)
    items.push(['critical path', `<rect class="critical" width="22" height="12"/>`]);
  if (view.downtimes.machine.length > 0) {
    items.push(['machine is down', `<rect width="22" height="12" fill="url(#down)"/>`]);
  }
  if (!view.valid) items.push(['breaks a rule', `<rect class="wrong" width="22" height="12"/>`]);
  let x = GUTTER;
  return items.map(([words, mark]) => {
    const at = x;
    x += words.length * DIGIT + (mark === '' ? 24 : 56);
    const text = `<text class="faint" x="${mark === '' ? 0 : 30}" y="11">${words}</text>`;
    return `<g transform="translate(${at} ${y})">${mark}${text}</g>`;
  });
}

/** Pixels to a hundredth. */
function px(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Text for XML 1.0: its marks escaped, and control characters, which it cannot have, replaced. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
