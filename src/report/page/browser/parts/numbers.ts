import { formatFixed, NOTHING } from '../../../format.js';

/** A number with so many digits after the point, and a true minus sign. */
export function decimals(value: number | null, digits: number): string {
  return value === null ? NOTHING : formatFixed(value, digits).replace('-', '−');
}

/** The same with its sign in any case. */
export function signed(value: number | null, digits: number): string {
  return value !== null && value > 0 ? `+${decimals(value, digits)}` : decimals(value, digits);
}

/** A p-value; small ones as what they are below. */
export function probability(value: number | null): string {
  if (value === null) return NOTHING;
  return value < 0.0001 ? '<\u00a00.0001' : value.toFixed(4);
}

/** Dollars. */
export function dollars(value: number | null): string {
  return value === null ? NOTHING : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}
