import { ableMachines } from '../../../chart/schedule-chart.js';
import type { MovesView, ScheduleView } from '../../views/schedule-data.js';
import { dueJobs } from './paint-due.js';
import type { ViewWords } from './view-words.js';

interface Shown {
  readonly view: ScheduleView;
  readonly words: ViewWords;
  readonly moves: MovesView | null;
}

/** The description of an operation in one line; null for none. */
export function describeOperationAt({ view, words, moves }: Shown, op: number): string | null {
  if (op < 0 || op >= view.machine.length) return null;
  const { operation: text } = words.texts;
  const name = words.operation(op);
  const parts = [`${name[0].toUpperCase()}${name.slice(1)}`, words.machine(view.machine[op])];
  if (view.start[op] < 0) parts.push(text.none);
  else parts.push(timeText(words, view.start[op], view.end[op], text.time));
  const able = ableMachines(view.modes, op);
  if (able > 1) parts.push(text.choice(able));
  const setup = view.setups?.operation.indexOf(op) ?? -1;
  if (view.setups && setup >= 0) {
    parts.push(timeText(words, view.setups.from[setup], view.setups.to[setup], text.setup));
  }
  parts.push(...needsOf(view, op));
  if (view.slack !== null) parts.push(text.slack(words.duration(view.slack[op])));
  if (view.critical.includes(op)) parts.push(text.critical);
  if (view.fixed.includes(op)) parts.push(text.fixed);
  const due = dueJobs(view).find(({ job }) => job === words.jobOf[op]);
  if (due !== undefined) {
    parts.push(text.due(words.time(due.due), due.late > 0 ? words.duration(due.late) : null));
  }
  const move = moves?.moved.find(({ operation }) => operation === op);
  if (move !== undefined) {
    const was = move.start < 0 ? text.isNew : timeText(words, move.start, move.end, text.was);
    const isElsewhere = move.machine >= 0 && move.machine !== view.machine[op];
    const place = isElsewhere ? `${was}, ${words.machine(move.machine)}` : was;
    parts.push(move.why === '' ? place : `${place}: ${move.why}`);
  }
  for (const { operation, other, message } of view.violations) {
    if (operation === op || other === op) parts.push(text.violation(message));
  }
  return parts.join(' · ');
}

/** The operators and tools that an operation or its setup uses. */
function needsOf({ resources }: ScheduleView, op: number): string[] {
  if (resources === null) return [];
  const { names, uses } = resources;
  const needs = uses.operation.flatMap((operation, i) =>
    operation === op ? [{ name: names[uses.resource[i]], amount: uses.amount[i] }] : [],
  );
  return needs.map(({ name, amount }) => (amount === 1 ? name : `${amount} × ${name}`));
}

/** A span of time; the day of its end is included if it differs from that of its start. */
function timeText(
  words: ViewWords,
  start: number,
  end: number,
  text: (start: string, end: string) => string,
): string {
  return text(words.time(start), words.time(end, start));
}
