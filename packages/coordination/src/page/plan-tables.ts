import { type Markup, markup } from 'alas-jssp/command-line';
import { formatClock } from '../model/clock.js';
import type { Action } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { Changes } from '../repair/changes.js';
import { changeInWords, noticesOf } from '../repair/notices.js';
import { nameOf } from './action-labels.js';
import type { PlanView } from './plan-view.js';

/** The faults of a plan: numbered causes, each with its consequences. */
export function faultList({ groups }: PlanView, key: string): Markup {
  const place = (action: number | undefined) =>
    action !== undefined && markup` <a href="#${key}-action${action + 1}">action ${action + 1}</a>`;
  return markup`<ol class="causes">${groups.map(
    ({ root, cascades }, at) =>
      markup`<li id="${key}-fault${at + 1}">${root.message} <code>${root.code}</code>${place(root.action)}${
        cascades.length > 0 &&
        markup`<ul>${cascades.map(({ message, code, action }) => markup`<li>${message} <code>${code}</code>${place(action)}</li>`)}</ul>`
      }</li>`,
  )}</ol>`;
}

/** The actions of a plan as a table, by time; numbers are their positions in the plan. */
export function actionTable(view: PlanView, key: string): Markup {
  const { plan, groups, changes, side } = view;
  const rows = [...plan.actions.entries()].toSorted(
    ([i, a], [k, b]) => a.start - b.start || a.end - b.end || i - k,
  );
  const isFaulty = groups.length > 0;
  const faultsOf = (at: number) =>
    groups.flatMap(({ root, cascades }, number) =>
      [root, ...cascades].some(({ action }) => action === at) ? [number + 1] : [],
    );
  const changeOf = (action: Action) =>
    changes?.changes.find((one) => one[side] === action)?.kind ?? '';
  return markup`<div class="table wide"><div class="scroll"><table><caption>Actions</caption><thead><tr><th class="number">#</th><th class="number">from</th><th class="number">to</th><th>who</th><th>does</th><th>where</th><th>with</th>${isFaulty && markup`<th>wrong</th>`}${changes !== null && markup`<th>change</th>`}</tr></thead><tbody>
${rows.map(([at, action]) => {
  const { who, does, where, company } = partsOf(view.problem, action);
  return markup`<tr id="${key}-action${at + 1}"><td class="number"><a href="#${key}-bar${at + 1}">${at + 1}</a></td><td class="number">${formatClock(action.start)}</td><td class="number">${formatClock(action.end)}</td><td>${who}</td><td>${does}</td><td>${where}</td><td>${company}</td>${isFaulty && markup`<td>${faultsOf(at).map((number) => markup`<a class="bad" href="#${key}-fault${number}">${number}</a> `)}</td>`}${changes !== null && markup`<td>${changeOf(action)}</td>`}</tr>
`;
})}</tbody></table></div></div>`;
}

function partsOf(problem: Problem, action: Action) {
  const names = (ids: readonly string[]) => ids.map((id) => nameOf(problem, id)).join(', ');
  if (action.do !== 'drive') {
    const does = action.do === 'stay' ? 'is there' : nameOf(problem, action.activity);
    return { who: names(action.who), does, where: action.at, company: '' };
  }
  const { who, vehicle, from, to } = action;
  const driver = who === null ? names([vehicle]) : `${names([who])}, ${names([vehicle])}`;
  return { who: driver, does: 'drives', where: `${from} → ${to}`, company: names(action.with) };
}

/** The differences between two plans: changed actions, and the notices to the people concerned. */
export function changeList(problem: Problem, changed: Changes): Markup {
  const notices = noticesOf(problem, changed);
  return markup`<h3>What has changed</h3>
<ul>${changed.changes.map((change) => markup`<li><strong>${change.kind}</strong> ${changeInWords(problem, change)}</li>`)}</ul>
${
  notices.length > 0 &&
  markup`<h3>Who is told what</h3><dl>${notices.map(
    ({ name, lines }) => markup`<dt>${name}</dt>${lines.map((line) => markup`<dd>${line}</dd>`)}`,
  )}</dl>`
}`;
}
