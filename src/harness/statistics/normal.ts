/** From here on the continued fraction takes fewer terms than the series. */
const FAR = 3;

/** Terms of the continued fraction, enough for double precision from {@link FAR} on. */
const TERMS = 120;

/**
 * Probability that a standard normal variable exceeds z. Precise to double precision, also where it
 * is tiny: by the series around 0 and the continued fraction far from it (Abramowitz and Stegun 1964,
 * *Handbook of Mathematical Functions*, 26.2.11 and 26.2.14).
 */
export function normalUpperTail(z: number): number {
  if (z < 0) return 1 - normalUpperTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return z < FAR ? 0.5 - density * series(z) : density / fraction(z);
}

/** z + z³/3 + z⁵/(3·5) + z⁷/(3·5·7) + … */
function series(z: number): number {
  let term = z;
  let total = z;
  for (let odd = 3; term > total * Number.EPSILON; odd += 2) {
    term *= (z * z) / odd;
    total += term;
  }
  return total;
}

/** z + 1/(z + 2/(z + 3/(z + …))), from its end. */
function fraction(z: number): number {
  let value = z;
  for (let k = TERMS; k > 0; k--) value = z + k / value;
  return value;
}
