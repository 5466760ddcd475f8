/** Text in the place of a value that is not known or does not apply. */
export const NO_VALUE = '–';

/** A number with so many digits after the point, and a true minus sign. */
export function fixed(value: number | null, digits: number): string {
  if (value === null) return NO_VALUE;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A number with its sign. */
export function signed(value: number | null, digits: number): string {
  if (value === null) return NO_VALUE;
  const text = fixed(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** A time in the unit that suits it. */
export function seconds(value: number | null): string {
  if (value === null) return NO_VALUE;
  if (value < 0.9995) return `${short(value * 1000)} ms`;
  if (value < 99.5) return `${short(value)} s`;
  return value < 5400 ? `${fixed(value / 60, 1)} min` : `${fixed(value / 3600, 1)} h`;
}

/** Two digits that count, and no more than one after the point; whole numbers as such. */
function short(value: number): string {
  return fixed(value, value < 9.95 && !Number.isInteger(value) ? 1 : 0);
}

/** A p-value; small ones as what they are below. */
export function probability(value: number | null): string {
  if (value === null) return NO_VALUE;
  return value < 0.0001 ? '< 0.0001' : value.toFixed(4);
}

/** Dollars. */
export function dollars(value: number | null): string {
  return value === null ? NO_VALUE : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

/** A number of things in words. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
