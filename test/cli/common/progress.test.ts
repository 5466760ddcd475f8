import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createLines,
  createProgressDisplay,
  describeProgress,
} from '../../../src/cli/common/progress.js';

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

describe('createProgressDisplay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A terminal, and what was written to it. */
  function terminal() {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) > 0 };
    const display = createProgressDisplay(stream as never);
    return { written, display };
  }

  it('draws a bar on a terminal, in one line, and removes it at the end', () => {
    const { written, display } = terminal();
    expect(written).toEqual([]);
    display.update({ done: 0, kept: 0, total: 4 });
    display.update({ done: 1, kept: 0, total: 4 });
    vi.advanceTimersByTime(1000);
    expect(written.at(-1)).toBe(
      `\r\x1b[K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 (25 %), 1 s elapsed, 3 s left`,
    );
    expect(written.join('')).not.toContain('\n');
    const drawn = written.length;
    vi.advanceTimersByTime(100);
    expect(written, 'what has not changed is not written again').toHaveLength(drawn);
    expect(display.above('a line\n')).toBe('\r\x1b[Ka line\n');
    vi.advanceTimersByTime(100);
    expect(written, 'below another line the bar is drawn again').toHaveLength(drawn + 1);
    display.wait({ reason: 'openai: rate limited', seconds: 12 });
    vi.advanceTimersByTime(100);
    expect(written.at(-1)).toMatch(/left, waiting 12\.0 s \(openai: rate limited\)$/);
    display.stop();
    const count = written.length;
    display.update({ done: 4, kept: 0, total: 4 });
    vi.advanceTimersByTime(1000);
    expect(written).toHaveLength(count);
    // The cursor was hidden and lines were cut; both are as before.
    expect(written[0]).toBe('\x1b[?25l\x1b[?7l');
    expect(written.at(-1)).toBe('\r\x1b[K\x1b[?25h\x1b[?7h');
  });

  it('writes nothing for a run that ends before its first record', () => {
    const { written, display } = terminal();
    display.stop();
    vi.advanceTimersByTime(1000);
    expect(written).toEqual([]);
  });
});
