import type { MovesView, ScheduleView } from '../../../../harness/page/schedule-data.js';
import { type ChartRows, nameOperation } from './chart-rows.js';

interface Shown {
  readonly view: ScheduleView;
  readonly rows: ChartRows;
  readonly moves: MovesView | null;
}

/** All that there is to say of an operation, in one line; null for none. */
export function describeOperationAt({ view, rows, moves }: Shown, op: number): string | null {
  if (op < 0 || op >= view.machine.length) return null;
  const name = nameOperation(view, rows, op);
  const parts = [`${name[0].toUpperCase()}${name.slice(1)}`, `machine ${view.machine[op]}`];
  if (view.start[op] < 0) parts.push('no start');
  else parts.push(`${view.start[op]} to ${view.end[op]}`);
  if (view.slack !== null) parts.push(`slack ${view.slack[op]}`);
  if (view.critical.includes(op)) parts.push('on the critical path');
  if (view.fixed.includes(op)) parts.push('start is fixed');
  const move = moves?.moved.find(({ operation }) => operation === op);
  if (move !== undefined) {
    const was = move.start < 0 ? 'new' : `was ${move.start} to ${move.end}`;
    parts.push(`${was}: ${move.why}`);
  }
  for (const { operation, other, message } of view.violations) {
    if (operation === op || other === op) parts.push(`violation: ${message}`);
  }
  return parts.join(' · ');
}
