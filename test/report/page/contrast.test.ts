import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('src/report/page/browser/shell/shell.css', 'utf8');

/** The colours of a block of the style sheet, by name. */
function coloursOf(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(selector)).split('}')[0];
  return Object.fromEntries(
    Array.from(block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g), ([, name, colour]) => [
      name,
      colour,
    ]),
  );
}

/** Contrast of two colours, 1 to 21, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map(luminance).toSorted((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

describe.each([
  ['light', ':root {'],
  ['dark', ':root[data-theme="dark"] {'],
])('the colours of the page, %s', (_, selector) => {
  const colours = coloursOf(selector);

  it('have contrast enough for text, and for lines of charts', () => {
    const texts = ['ink', 'quiet', 'link', 'good', 'bad', 'warn'];
    const weak = texts.flatMap((name) =>
      ['ground', 'raised']
        .filter((ground) => contrast(colours[name], colours[ground]) < 4.5)
        .map((ground) => `${name} on ${ground}`),
    );
    const series = Object.keys(colours).filter((name) => name.startsWith('series-'));
    const fills = Object.keys(colours).filter(
      (name) => /^(tone|end)-/.test(name) && name !== 'tone-ink',
    );
    expect(fills).toHaveLength(12);
    expect(series).toHaveLength(8);
    expect(weak).toEqual([]);
    expect(series.filter((name) => contrast(colours[name], colours.ground) < 3)).toEqual([]);
    expect(fills.filter((name) => contrast(colours[name], colours['tone-ink']) < 4.5)).toEqual([]);
  });
});
