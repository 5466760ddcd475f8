import { firstBarAfter } from '../../../chart/schedule-chart.js';
import { dragAction } from './chart-drag.js';
import type { LiveCanvas, Scene } from './scene.js';
import { timesInSight } from './viewport.js';

/** Handles a key of the chart; the browser handles all other keys. */
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

/** The operation that a key selects: −1 to select none, null if the key changes nothing. */
function nextOperation(scene: Scene, { key, shiftKey }: KeyboardEvent): number | null {
  const { selected, view, moves } = scene;
  switch (key) {
    case 'Escape':
      return -1;
    case 'ArrowLeft':
      return shiftKey ? null : neighbourInRow(scene, -1);
    case 'ArrowRight':
      return shiftKey ? null : neighbourInRow(scene, 1);
    case 'ArrowUp':
      return nearestInOtherRow(scene, -1);
    case 'ArrowDown':
      return nearestInOtherRow(scene, 1);
    case 'j':
      return neighbourInJob(scene, 1);
    case 'J':
      return neighbourInJob(scene, -1);
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

/** The entry after a given one, cyclically; null for an empty list. */
function after(list: readonly number[], one: number): number | null {
  return list.length === 0 ? null : list[(list.indexOf(one) + 1) % list.length];
}

function neighbourInRow({ chart, selected, port }: Scene, by: 1 | -1): number | null {
  if (selected < 0) return firstInSight(chart, port);
  const bars = chart.rows[chart.rowOf(selected)]?.bars ?? [];
  let at = bars.findIndex(({ item }) => item === selected);
  // In rows of operators, its setup may be beside it.
  while (bars[at]?.item === selected) at += by;
  return bars[at]?.item ?? selected;
}

function firstInSight({ rows }: Scene['chart'], port: Scene['port']): number | null {
  const [from] = timesInSight(port);
  for (const row of rows) {
    const bar = row.bars[firstBarAfter(row, from)];
    if (bar !== undefined) return bar.item;
  }
  return null;
}

/** The operation of the next row that is not empty, at about the same time. */
function nearestInOtherRow({ chart, selected, view, port }: Scene, by: 1 | -1): number | null {
  if (selected < 0) return firstInSight(chart, port);
  const time = (view.start[selected] + view.end[selected]) / 2;
  for (let at = chart.rowOf(selected) + by; at in chart.rows; at += by) {
    const row = chart.rows[at];
    const bar = row.bars[Math.min(firstBarAfter(row, time), row.bars.length - 1)];
    if (bar !== undefined && bar.item !== selected) return bar.item;
  }
  return selected;
}

function neighbourInJob({ chart, selected, view }: Scene, by: 1 | -1): number | null {
  const next = selected + by;
  if (selected < 0 || next < 0 || next >= view.machine.length) return null;
  return chart.jobOf[next] === chart.jobOf[selected] && view.start[next] >= 0 ? next : selected;
}
