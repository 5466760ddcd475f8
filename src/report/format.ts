import type { CellValue } from './columns.js';

/** Placeholder for a missing number. */
export const NOTHING = '–';

/**
 * A number with a fixed count of decimals, for people. A number that is not 0 or not 100 is never
 * rounded to it: 99.96% optimal is not 100.0%.
 */
export function formatFixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const rounded = Number(text);
  if (rounded === value || (rounded !== 0 && rounded !== 100)) return text;
  const step = 10 ** -decimals;
  return (rounded + (value > rounded ? step : -step)).toFixed(decimals);
}

/** A column format: a number with a count of decimals. */
export function fixed(decimals: number): (value: CellValue) => string {
  return (value) => (typeof value === 'number' ? formatFixed(value, decimals) : NOTHING);
}

/** A column format: a share (0 to 1) as a percentage with a count of decimals. */
export function share(decimals: number): (value: CellValue) => string {
  const format = fixed(decimals);
  return (value) => format(typeof value === 'number' ? 100 * value : value);
}

/** A column format: a change in fixed, with its sign. */
export function change(decimals: number): (value: CellValue) => string {
  return (value) => {
    if (typeof value !== 'number') return NOTHING;
    return `${value > 0 ? '+' : ''}${formatFixed(value, decimals)}`;
  };
}

/** A column format: a whole number. */
export function whole(value: CellValue): string {
  return value === null ? NOTHING : String(value);
}

/** A column format: a text, cut to a number of characters. */
export function clipped(length: number): (value: CellValue) => string {
  return (value) => {
    const text = value === null ? '' : String(value);
    return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
  };
}

/** A number with its noun: `1 violation`, `3 violations`. */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Seconds for people: `0.4 ms`, `12 ms`, `3.4 s`, `2 min 03 s`, `1 h 05 min`. */
export function formatSeconds(seconds: CellValue): string {
  if (typeof seconds !== 'number') return NOTHING;
  if (seconds < 0.00095) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** A probability for people: four digits. */
export function formatProbability(p: CellValue): string {
  if (typeof p !== 'number') return NOTHING;
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

/** An interval in a format; a placeholder if there is none. */
export function intervalText(
  low: number | null,
  high: number | null,
  format: (value: CellValue) => string,
): string {
  return low === null || high === null ? NOTHING : `${format(low)} – ${format(high)}`;
}
