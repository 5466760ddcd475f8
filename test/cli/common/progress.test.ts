import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLines, describeProgress } from '../../../src/cli/common/progress.js';

describe('describeProgress', () => {
  it('prints the share done, the time elapsed and the time left', () => {
    expect(describeProgress({ done: 12, kept: 0, total: 80 }, 3.4)).toBe(
      '12 of 80 (15 %), 3 s elapsed, 19 s left',
    );
    expect(describeProgress({ done: 80, kept: 0, total: 80 }, 125)).toBe(
      '80 of 80 (100 %), 2 min 05 s elapsed, 0 s left',
    );
  });

  it('judges the speed of a resumed run by what it has done itself', () => {
    expect(describeProgress({ done: 50, kept: 40, total: 60 }, 5)).toMatch(/5 s left$/);
    expect(describeProgress({ done: 40, kept: 40, total: 60 }, 5)).toBe(
      '40 of 60 (66 %), 5 s elapsed',
    );
  });
});

describe('createLines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes nothing for a short run and a plain line now and then for a long one', () => {
    const lines: string[] = [];
    const display = createLines((line) => lines.push(line));
    display.update({ done: 1, kept: 0, total: 4 });
    vi.advanceTimersByTime(4900);
    expect(lines).toEqual([]);
    display.update({ done: 2, kept: 0, total: 4 });
    vi.advanceTimersByTime(5200);
    expect(lines).toEqual([
      '2 of 4 (50 %), 5 s elapsed, 5 s left',
      '2 of 4 (50 %), 10 s elapsed, 10 s left',
    ]);
    display.stop();
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(2);
  });

  it('prints a wait immediately, but no short one, and none twice while it lasts', () => {
    const lines: string[] = [];
    const display = createLines((line) => lines.push(line));
    const wait = { reason: 'openai: rate limited', seconds: 12 };
    display.wait({ ...wait, seconds: 0.4 });
    display.wait(wait);
    display.wait({ ...wait, seconds: 11 });
    expect(lines).toEqual(['waiting 12.0 s (openai: rate limited)']);
    vi.advanceTimersByTime(12_500);
    display.wait(wait);
    display.wait({ ...wait, reason: 'anthropic: server error' });
    expect(lines).toHaveLength(3);
    display.stop();
  });
});
