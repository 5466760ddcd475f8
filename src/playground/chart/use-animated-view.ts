import { useEffect, useRef, useState } from 'preact/hooks';
import type { MovesView, ScheduleView } from '../../report/page/views/schedule-data.js';
import { LIMITS } from '../model/limits.js';

/** Milliseconds from the old to the new places. */
const LENGTH = 900;

/** Starts and ends of a view from which it begins to move. */
interface Places {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/**
 * The view to draw: after a change, bars glide from their old to their new places. Readers who asked their system for
 * less motion, and very large shops, get the new places at once.
 */
export function useAnimatedView(target: ScheduleView, moves: MovesView | null): ScheduleView {
  const [frame, setFrame] = useState<ScheduleView | null>(null);
  const previous = useRef(target);
  useEffect(() => {
    const from = placesBefore(previous.current, target, moves);
    previous.current = target;
    if (from === null || isStill(target)) {
      setFrame(null);
      return;
    }
    let began = -1;
    let request = requestAnimationFrame(function step(now) {
      if (began < 0) began = now;
      const share = Math.min(1, (now - began) / LENGTH);
      setFrame(share === 1 ? null : between(from, target, eased(share)));
      if (share < 1) request = requestAnimationFrame(step);
    });
    setFrame(between(from, target, 0));
    return () => cancelAnimationFrame(request);
  }, [target]);
  // In the first rendering after a change, the effect has not run yet: the old places are still right.
  if (previous.current === target) return frame ?? target;
  const from = placesBefore(previous.current, target, moves);
  return from === null || isStill(target) ? target : between(from, target, 0);
}

function isStill(target: ScheduleView): boolean {
  const wantsLess = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return wantsLess || target.machine.length > LIMITS.animated;
}

/** The places before a change, in the numbers of the later view; null if the two are not comparable. */
function placesBefore(
  before: ScheduleView,
  after: ScheduleView,
  moves: MovesView | null,
): Places | null {
  if (before === after) return null;
  if (moves !== null) {
    const start = after.start.slice();
    const end = after.end.slice();
    for (const move of moves.moved) {
      if (move.start < 0) continue;
      start[move.operation] = move.start;
      end[move.operation] = move.end;
    }
    return { start, end };
  }
  const isSame = before.machine.length === after.machine.length && before.jobs === after.jobs;
  return isSame && before.instance === after.instance ? before : null;
}

function between(from: Places, to: ScheduleView, share: number): ScheduleView {
  const mix = (a: number, b: number) => (a < 0 || b < 0 || a === b ? b : a + (b - a) * share);
  return {
    ...to,
    start: to.start.map((time, op) => mix(from.start[op], time)),
    end: to.end.map((time, op) => mix(from.end[op], time)),
    critical: [],
    violations: [],
  };
}

/** Slow at both ends. */
function eased(share: number): number {
  return share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
}
