import { type AxisMark, type ChartScale, drawChart } from 'alas-jssp/chart';
import { counted, type Markup, markup } from 'alas-jssp/command-line';
import { formatClock } from '../model/clock.js';
import { costOfPlan } from '../model/cost.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import { chartLegend } from './chart-legend.js';
import { chartRows, type PlanChartRow } from './chart-rows.js';
import { scaleOf } from './chart-scale.js';
import { actionTable, changeList, faultList } from './plan-tables.js';
import { type PlanView, type ShownPlan, viewPlans } from './plan-view.js';

/** The body of a page of plans: each with its chart, faults, actions, and changes. */
export function planPageBody(shown: readonly ShownPlan[]): Markup {
  return markup`${shown.length > 1 && drawContents(shown)}
${shown.map((one, at) => [
  drawShown(one, `plan${at + 1}`),
  shown[at + 1]?.problem !== one.problem && drawProblem(one.problem),
])}`;
}

function drawContents(shown: readonly ShownPlan[]): Markup {
  return markup`<nav aria-label="plans"><ul>${shown.map(
    ({ title }, at) => markup`<li><a href="#plan${at + 1}">${title}</a></li>`,
  )}</ul></nav>`;
}

function drawShown(shown: ShownPlan, key: string): Markup {
  const { title, problem, plan } = shown;
  const views = viewPlans(shown).map((view) => ({ view, rows: chartRows(view) }));
  const scale = scaleOf(
    views.map(({ rows }) => rows),
    views[0].view.now,
  );
  const changes = views[0].view.changes;
  return markup`<section id="${key}"><h2>${title}</h2>
${plan.source !== undefined && markup`<p class="quiet">${plan.source}</p>`}
${views.map(({ view, rows }) => drawView(view, rows, scale, `${key}-${view.side}`))}
${changes !== null && changeList(problem, changes)}
${
  plan.notes !== undefined &&
  markup`<details><summary>How it was read</summary><ul>${plan.notes.map((note) => markup`<li>${note}</li>`)}</ul></details>`
}
</section>`;
}

function drawView(
  view: PlanView,
  rows: readonly PlanChartRow[],
  scale: ChartScale,
  key: string,
): Markup {
  const { verdict, groups, changes, side, now } = view;
  const heading = side === 'before' ? 'Before, judged by what is known now' : 'After';
  return markup`${changes !== null && markup`<h3>${heading}</h3>`}
<p class="${verdict.valid ? 'good' : 'bad'}"><strong>${verdictLine(view)}</strong></p>
${unkept(view)}
${drawChart({ ...CHART, rows, scale, key, now: clockMark(now) })}
${chartLegend(rows, key)}
${groups.length > 0 && faultList(view, key)}
<details${side === 'after' && markup` open`}><summary>Actions as a table</summary>${actionTable(view, key)}</details>`;
}

/** How charts of plans are drawn. */
const CHART = {
  measures: { lane: 22, padding: 3, hasLanes: true },
  labelMargin: 12,
  leastWidth: 3,
  hasLinks: true,
};

function clockMark(now: number | null): AxisMark | null {
  return now === null ? null : { time: now, label: `now, ${formatClock(now)}` };
}

function verdictLine({ verdict, groups }: PlanView): string {
  const { valid, violations, metres, finish } = verdict;
  const ends = finish === null ? 'nothing is done' : `ends at ${formatClock(finish)}`;
  const facts = `${ends}, ${(metres / 1000).toFixed(1)} km`;
  if (valid) return `valid: ${facts}`;
  const causes = counted(groups.length, 'root cause');
  return `invalid: ${counted(violations.length, 'violation')} from ${causes}; ${facts}`;
}

function unkept({ problem, plan }: PlanView): Markup | null {
  const { broken } = costOfPlan(problem, plan);
  const texts = problem.preferences.filter(({ id }) => broken.includes(id));
  if (texts.length === 0) return null;
  return markup`<p class="quiet">Not kept, which is no fault: ${texts.map(({ text }) => text).join('; ')}</p>`;
}

function drawProblem(problem: Problem): Markup {
  const { text, source, assumptions } = problem.facts;
  return markup`<details><summary>The problem ${problem.name}</summary>
<p>${text}</p>
${source !== undefined && markup`<p class="quiet">${source}</p>`}
<div class="table wide"><div class="scroll"><table><thead><tr><th>kind</th><th>name</th><th>facts</th></tr></thead><tbody>
${statementsOf(problem).map(({ kind, name, facts }) => markup`<tr><td>${kind}</td><td>${name}</td><td>${facts}</td></tr>\n`)}</tbody></table></div></div>
${assumptions.length > 0 && markup`<p>Decided here, as the source does not say it:</p><ul>${assumptions.map((line) => markup`<li>${line}</li>`)}</ul>`}
</details>`;
}
