import { markup } from '../page/markup.js';
import type { ScheduleView } from '../page/views/schedule-data.js';
import {
  type DrawnChart,
  drawBars,
  drawHatches,
  drawNames,
  drawNow,
  placeRows,
  px,
  scaleOver,
  widthOfNames,
} from './chart-svg.js';
import { ableMachines, type ScheduleChart, scheduleChart } from './schedule-chart.js';
import { timeMarks } from './time-axis.js';

/** Size of a drawing. */
export interface SvgStyle {
  /** Pixels; default 1200. */
  readonly width?: number | undefined;
  /** The time to mark; default none. */
  readonly now?: number | undefined;
}

const RIGHT = 16;
const TITLE = 30;
const LEGEND = 30;

/** Maximum number of bars with a title, which browsers show under the mouse. */
const MOST_TITLES = 5000;

/** Pixels of a letter of the legend. */
const LETTER = 7;

const STYLE = `
text{font:12px "DejaVu Sans",Verdana,sans-serif}
.title{font-weight:bold;font-size:14px}
.faint{fill:#5c5f66}
.grid{stroke:#d5d7dc}
.band{fill:#f3f4f6}
.bar{stroke:#ffffff;stroke-width:1}
.path{fill:none;stroke:#1b1b1f;stroke-width:1.5}
.critical{fill:none;stroke:#1b1b1f;stroke-width:2.5}
.fault{stroke:#b00020;stroke-width:2}
.wrong{stroke:#b00020;stroke-width:3}
.away{stroke:#9a9ea6;stroke-width:3}
.setup{stroke:#5c5f66;stroke-width:2.5}
.prepare{stroke:#5c5f66;stroke-width:1}
.now{stroke:#1b1b1f;stroke-width:2;stroke-dasharray:6 3}
`;

/** The prefix of ids in a document. */
const KEY = 'gantt';

/**
 * Draws a schedule or a plan with faults as a complete SVG document: one row per machine, one bar per operation with
 * the number of its job (from 1), the critical path outlined and joined, downtimes hatched, and violations crossed in
 * red. It uses light colours, for paper. Operations of zero duration are not drawn.
 */
export function ganttSvg(view: ScheduleView, { width = 1200, now }: SvgStyle = {}): string {
  const last = Math.max(1, view.makespan, (now ?? 0) + 1);
  const chart = scheduleChart(view, 'machine', {
    jobLabels: (job) => [String(job + 1)],
    ...(view.machine.length <= MOST_TITLES && { title: (op, job) => titleOfBar(view, op, job) }),
  });
  const drawing = {
    rows: chart.rows,
    measures: { lane: view.machines > 40 ? 14 : 22, padding: 1, hasLanes: false },
    key: KEY,
    now: null,
    labelMargin: 4,
    leastWidth: 0,
    hasLinks: false,
  };
  const whole = Math.max(200, width);
  const gutter = widthOfNames(drawing.rows);
  const room = whole - gutter - RIGHT;
  const marks = timeMarks(0, last, room / 80).map((time) => ({ time, label: String(time) }));
  const placed = placeRows({ ...drawing, scale: scaleOver(0, last, room, marks) });
  const height = TITLE + placed.height + LEGEND;
  const { html } =
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${height}" viewBox="0 0 ${whole} ${height}" role="img">
<title>${titleOf(view)}</title>
<style>${{ html: STYLE }}</style>
${drawHatches(KEY, chart.rows)}
<rect width="100%" height="100%" fill="#ffffff"/>
<text class="title" x="${gutter}" y="20">${titleOf(view)}</text>
<g transform="translate(0 ${TITLE})">
${drawNames(placed, gutter)}</g>
<g transform="translate(${gutter} ${TITLE})">
${drawBars(placed)}
${drawCritical(view, chart, placed)}
${now !== undefined && drawNow({ time: now, label: `now ${now}` }, placed)}</g>
${drawLegend(view, gutter, height)}
</svg>
`;
  // XML 1.0 has no control characters.
  return html.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

function titleOf({ instance, makespan, missing, violations, counts, valid }: ScheduleView): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const faults = valid ? '' : `, invalid: ${all} violation${all === 1 ? '' : 's'}`;
  const first = valid || violations.length === 0 ? '' : ` (${violations[0].code})`;
  return `${instance}: makespan ${makespan}${missing === 0 ? '' : `, ${missing} operations missing`}${faults}${first}`;
}

function titleOfBar(view: ScheduleView, op: number, job: number) {
  const { jobOffset, start, end, slack, machine, modes } = view;
  const able = ableMachines(modes, op);
  const choice = able < 2 ? '' : `, on Machine${machine[op]}, one of ${able} that can do it`;
  const words = `${slack === null ? '' : `, slack ${slack[op]}`}${choice}`;
  return `job ${job + 1}, step ${op - jobOffset[job] + 1}: ${start[op]} to ${end[op]}${words}`;
}

function drawCritical(view: ScheduleView, { rowOf }: ScheduleChart, placed: DrawnChart) {
  const { scale, rows, measures } = placed;
  const drawn = view.critical.filter((op) => view.end[op] > view.start[op]);
  const topOf = (op: number) => rows[rowOf(op)].top;
  const middle = (op: number) => topOf(op) + rows[rowOf(op)].height / 2;
  // From bar to bar: a line across a bar would cross out its number.
  const line = drawn
    .slice(1)
    .map((op, i) => {
      const before = drawn[i];
      const [from, to] = [scale.x(view.end[before]), scale.x(view.start[op])];
      if (from === to && rowOf(before) === rowOf(op)) return '';
      return `M${from},${middle(before)}L${to},${middle(op)}`;
    })
    .join('');
  const boxes = drawn.map((op) => {
    const [left, right] = [scale.x(view.start[op]), scale.x(view.end[op])];
    return markup`<rect class="critical" x="${px(left + 1)}" y="${topOf(op) + 1}" width="${px(Math.max(1, right - left - 2))}" height="${measures.lane - 2}"/>
`;
  });
  return markup`<path class="path" d="${line}" stroke-dasharray="2 2"/>
${boxes}`;
}

function drawLegend(
  { critical, downtimes, setups, valid }: ScheduleView,
  left: number,
  height: number,
) {
  const entries = [
    { words: 'numbers are jobs', mark: null },
    critical.length > 0 && {
      words: 'critical path',
      mark: markup`<rect class="critical" width="22" height="12"/>`,
    },
    downtimes.machine.length > 0 && {
      words: 'machine is down',
      mark: markup`<rect width="22" height="12" fill="url(#${KEY}-away)"/>`,
    },
    (setups?.operation.length ?? 0) > 0 && {
      words: 'setup',
      mark: markup`<rect class="prepare" y="2" width="22" height="8" fill="url(#${KEY}-setup)"/>`,
    },
    !valid && {
      words: 'breaks a rule',
      mark: markup`<rect class="fault" width="22" height="12" fill="url(#${KEY}-wrong)"/>`,
    },
  ].filter((entry) => entry !== false);
  let x = left;
  return entries.map(({ words, mark }) => {
    const at = x;
    const before = mark === null ? 0 : 30;
    x += words.length * LETTER + before + 26;
    return markup`<g transform="translate(${at} ${height - 22})">${mark}<text class="faint" x="${before}" y="11">${words}</text></g>`;
  });
}
