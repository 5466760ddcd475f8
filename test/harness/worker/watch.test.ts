import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchTask } from '../../../src/harness/worker/watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A task under watch, and what became of it. */
function watched() {
  const controller = new AbortController();
  const asked: unknown[] = [];
  const port = { postMessage: (message: unknown) => void asked.push(message) };
  const watch = watchTask(null, controller.signal, port);
  return { watch, asked, interrupt: () => controller.abort() };
}

describe('a task of a run that is aborted', () => {
  it('is ended at once while it makes its plan', () => {
    const { watch, asked, interrupt } = watched();
    watch.begin();
    interrupt();
    expect(watch.signal.aborted).toBe(true);
    expect(asked).toEqual([]);
  });

  it('is asked to end once it has a plan, and ended if it does not', () => {
    const { watch, asked, interrupt } = watched();
    watch.begin();
    watch.pause();
    interrupt();
    expect(asked).toHaveLength(1);
    vi.advanceTimersByTime(2900);
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(200);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.reason()).toBeNull();
  });

  it('is left alone once it is over', () => {
    const { watch, asked, interrupt } = watched();
    watch.begin();
    watch.pause();
    watch.end();
    interrupt();
    vi.runAllTimers();
    expect([asked, watch.signal.aborted]).toEqual([[], false]);
  });
});

describe('a task whose time is limited', () => {
  it('has one time for its plan and its repairs, and only the repair is given up', () => {
    const asked: unknown[] = [];
    const port = { postMessage: (message: unknown) => void asked.push(message) };
    const watch = watchTask(10, undefined, port);
    watch.begin();
    vi.advanceTimersByTime(6000);
    watch.pause();
    // What is done between counts for nothing.
    vi.advanceTimersByTime(60_000);
    watch.begin(true);
    vi.advanceTimersByTime(3900);
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(200);
    vi.runAllTicks();
    vi.advanceTimersByTime(1);
    expect(asked).toEqual([{ kind: 'give up', reason: 'stopped after 10 s' }]);
    expect([watch.signal.aborted, watch.reason()]).toEqual([false, null]);
    watch.end();
  });
});
