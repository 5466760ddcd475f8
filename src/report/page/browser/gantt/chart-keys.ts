import { dragAction } from './chart-drag.js';
import { firstSlotAfter } from './chart-rows.js';
import type { LiveCanvas, Scene } from './scene.js';
import { timesInSight } from './viewport.js';

/** Executes the action of a key; the browser handles other keys. */
export function keyAction(live: LiveCanvas, event: KeyboardEvent): void {
  const scene = live.scene();
  if (scene === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const move = dragAction(live, event) ?? moveOf(live, event);
  if (scene.held !== null && move === null) return;
  const next = move === null ? nextOperation(scene, event) : null;
  if (move === null && next === null) return;
  event.preventDefault();
  move?.();
  if (next !== null) live.options().onSelect(next);
}

function moveOf(live: LiveCanvas, { key, shiftKey }: KeyboardEvent): (() => void) | null {
  if (key === '+' || key === '=') return () => live.zoom(1.5);
  if (key === '-' || key === '−') return () => live.zoom(1 / 1.5);
  if (key === '0' || key === 'Home') return () => live.fit();
  if (shiftKey && key === 'ArrowLeft') return () => live.pan(-0.25);
  if (shiftKey && key === 'ArrowRight') return () => live.pan(0.25);
  return null;
}

/** The operation that a key leads to; −1 for none, null if it leads nowhere. */
function nextOperation(scene: Scene, { key, shiftKey }: KeyboardEvent): number | null {
  const { selected, view, moves } = scene;
  switch (key) {
    case 'Escape':
      return -1;
    case 'ArrowLeft':
      return shiftKey ? null : besideIn(scene, -1);
    case 'ArrowRight':
      return shiftKey ? null : besideIn(scene, 1);
    case 'ArrowUp':
      return inRowBeside(scene, -1);
    case 'ArrowDown':
      return inRowBeside(scene, 1);
    case 'j':
      return stepBeside(scene, 1);
    case 'J':
      return stepBeside(scene, -1);
    case 'c':
      return after(view.critical, selected);
    case 'v':
      return after(
        view.violations.map(({ operation }) => operation).filter((op) => op >= 0),
        selected,
      );
    case 'm':
      return after(moves?.moved.map(({ operation }) => operation) ?? [], selected);
    default:
      return null;
  }
}

/** The entry behind one, the first behind the last; null of none. */
function after(list: readonly number[], one: number): number | null {
  return list.length === 0 ? null : list[(list.indexOf(one) + 1) % list.length];
}

function besideIn({ rows, selected, port }: Scene, by: 1 | -1): number | null {
  if (selected < 0) return firstInSight(rows, port);
  const row = rows.rowOf(selected);
  const slots = rows.order.subarray(rows.offset[row], rows.offset[row + 1]);
  return slots[slots.indexOf(selected) + by] ?? selected;
}

function firstInSight(rows: Scene['rows'], port: Scene['port']): number | null {
  const [from] = timesInSight(port);
  for (let row = 0; row < rows.count; row++) {
    const slot = firstSlotAfter(rows, row, from);
    if (slot < rows.offset[row + 1]) return rows.order[slot];
  }
  return null;
}

/** The operation of the next row that is not empty, at about the same time. */
function inRowBeside({ rows, selected, view, port }: Scene, by: 1 | -1): number | null {
  if (selected < 0) return firstInSight(rows, port);
  const time = (view.start[selected] + view.end[selected]) / 2;
  for (let row = rows.rowOf(selected) + by; row >= 0 && row < rows.count; row += by) {
    const [first, stop] = [rows.offset[row], rows.offset[row + 1]];
    if (first < stop) return rows.order[Math.min(firstSlotAfter(rows, row, time), stop - 1)];
  }
  return selected;
}

function stepBeside({ rows, selected, view }: Scene, by: 1 | -1): number | null {
  const next = selected + by;
  if (selected < 0 || next < 0 || next >= view.machine.length) return null;
  return rows.jobOf[next] === rows.jobOf[selected] && view.start[next] >= 0 ? next : selected;
}
