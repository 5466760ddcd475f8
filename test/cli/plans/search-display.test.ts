import { describe, expect, it } from 'vitest';
import { createSearchDisplay, describeSearch } from '../../../src/cli/plans/search-display.js';

const progress = {
  best: 2043,
  seconds: 12.34,
  iterations: 3_085_000,
  idle: 0,
  restarts: 3,
  population: 12,
  lowerBound: { value: 2005, source: 'literature, 2026-08' },
};

describe('describeSearch', () => {
  it('says of what a gap is one, and names the best known makespan unless it is the bound', () => {
    expect(describeSearch(progress, 'makespan', 2005)).toBe(
      'makespan 2043, gap 1.90 % to bound, 12.3 s, population 12, 3 restarts, 250k iterations/s',
    );
    const unproven = { ...progress, lowerBound: { value: 1854, source: 'machine load' } };
    expect(describeSearch(unproven, 'makespan', 2005)).toBe(
      'makespan 2043, gap 10.19 % to bound, 1.90 % to best known, 12.3 s, population 12, 3 restarts, 250k iterations/s',
    );
  });

  it.each([
    [3, '0.3'],
    [50_000, '5000'],
    [2_500_000, '250k'],
  ])('prints that %d iterations in 10 s are %s a second', (iterations, speed) => {
    const line = describeSearch({ ...progress, seconds: 10, iterations }, 'makespan', undefined);
    expect(line).toContain(`, ${speed} iterations/s`);
  });

  it('omits missing values', () => {
    const none = { ...progress, best: Number.POSITIVE_INFINITY, seconds: 1.2, iterations: 0 };
    expect(describeSearch(none, 'makespan', 2005)).toBe('looking for a first schedule, 1.2 s');
    const first = { ...progress, seconds: 0.012, iterations: 0, restarts: 0, population: 0 };
    expect(describeSearch(first, 'makespan', undefined)).toBe(
      'makespan 2043, gap 1.90 % to bound, 12 ms, 0 restarts',
    );
  });
});

describe('createSearchDisplay', () => {
  const display = (terminal: { isTTY?: boolean; columns?: number }) => {
    const written: string[] = [];
    const stream = { ...terminal, write: (text: string) => written.push(text) };
    return { written, ...createSearchDisplay(stream, 'makespan', undefined) };
  };

  it('writes a line for the first schedule and one every five seconds where there is no terminal', () => {
    const { written, show } = display({});
    show({ ...progress, best: Number.POSITIVE_INFINITY, seconds: 0 });
    for (let seconds = 1; seconds < 13; seconds++) show({ ...progress, seconds });
    expect(written).toHaveLength(3);
    for (const line of written) expect(line).toMatch(/^makespan 2043, .* iterations\/s\n$/);
  });

  it('writes one line over and over on a terminal, never so long that it is wrapped', () => {
    const { written, show, clear } = display({ isTTY: true, columns: 30 });
    for (let i = 0; i < 100; i++) show({ ...progress, seconds: i / 100 });
    expect(written).toHaveLength(10);
    expect(written[9]).toBe('\r\x1b[Kmakespan 2043, gap 1.90 % to ');
    const unsized = display({ isTTY: true, columns: 0 });
    unsized.show(progress);
    expect(unsized.written[0]).toMatch(/population 12, 3 restarts, 250k/);
    clear();
    expect(written.at(-1)).toBe('\r\x1b[K');
  });
});
