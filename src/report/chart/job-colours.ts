/**
 * Colours that people with any kind of colour vision can distinguish (Okabe and Ito 2008, Color Universal Design),
 * without black, in an order in which neighbours also differ in lightness.
 */
const HUES = [
  '#56b4e9',
  '#d55e00',
  '#f0e442',
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#999999',
];

/** Beyond the first eight: the same, lighter, then darker. */
const TINTS: readonly (readonly [towards: number, share: number])[] = [
  [0, 0],
  [255, 0.5],
  [0, 0.4],
];

/** The fill of the bars of a job, and a readable colour of text on it, with a contrast of at least 4.5 to 1. */
export interface JobColour {
  readonly fill: string;
  readonly text: string;
}

/** The colour of a job (from 0); after 24 jobs they repeat, because the numbers on the bars identify jobs. */
export function jobColour(job: number): JobColour {
  const [towards, share] = TINTS[Math.floor(job / HUES.length) % TINTS.length];
  const hue = HUES[job % HUES.length];
  const parts = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hue.slice(at, at + 2), 16);
    return Math.round(value + (towards - value) * share);
  });
  const fill = `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  return { fill, text: luminance(parts) > 0.18 ? '#000000' : '#ffffff' };
}

/** Relative luminance, 0 to 1, as WCAG 2.2 defines it. */
function luminance(parts: readonly number[]): number {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
