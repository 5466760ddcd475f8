import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchTask } from '../../../src/harness/worker/watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A task under watch, and what became of it. */
function watched() {
  const controller = new AbortController();
  const watch = watchTask(null, controller.signal);
  return { watch, interrupt: () => controller.abort() };
}

describe('a task of a run that is aborted', () => {
  it('is ended at once while it makes its plan', () => {
    const { watch, interrupt } = watched();
    watch.begin();
    interrupt();
    expect(watch.signal.aborted).toBe(true);
    expect(watch.interrupted.aborted).toBe(false);
  });

  it('is asked to end once it has a plan, and ended if it does not', () => {
    const { watch, interrupt } = watched();
    watch.begin();
    watch.pause();
    interrupt();
    expect(watch.interrupted.aborted).toBe(true);
    vi.advanceTimersByTime(2900);
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(200);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.reason()).toBeNull();
  });

  it('is left alone once it is over', () => {
    const { watch, interrupt } = watched();
    watch.begin();
    watch.pause();
    watch.end();
    interrupt();
    vi.runAllTimers();
    const { signal, interrupted, stopped } = watch;
    expect([signal, interrupted, stopped].some(({ aborted }) => aborted)).toBe(false);
  });
});

describe('a task whose time is limited', () => {
  it('has one time for its plan and its repairs, and only the repair is given up', () => {
    const watch = watchTask(10, undefined);
    watch.begin();
    vi.advanceTimersByTime(6000);
    watch.pause();
    // What is done between counts for nothing.
    vi.advanceTimersByTime(60_000);
    watch.begin(true);
    vi.advanceTimersByTime(3900);
    expect(watch.outOfTime.aborted).toBe(false);
    vi.advanceTimersByTime(200);
    vi.runAllTicks();
    vi.advanceTimersByTime(1);
    expect(watch.outOfTime.reason).toMatchObject({
      code: 'out_of_time',
      message: 'stopped after 10 s',
    });
    expect(watch.stopped.aborted).toBe(false);
    expect([watch.signal.aborted, watch.reason()]).toEqual([false, null]);
    watch.end();
  });
});
