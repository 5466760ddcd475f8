import { formatFixed, NOTHING } from '../../../format.js';

/** A number with a fixed number of decimal digits and a real minus sign. */
export function decimals(value: number | null, digits: number): string {
  return value === null ? NOTHING : formatFixed(value, digits).replace('-', '−');
}

/** A number as by {@link decimals}, always with a sign. */
export function signed(value: number | null, digits: number): string {
  return value !== null && value > 0 ? `+${decimals(value, digits)}` : decimals(value, digits);
}

/** A p-value; a small one as an upper bound, such as `< 0.001`. */
export function probability(value: number | null): string {
  if (value === null) return NOTHING;
  return value < 0.0001 ? '<\u00a00.0001' : value.toFixed(4);
}

/** Dollars. */
export function dollars(value: number | null): string {
  return value === null ? NOTHING : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}
