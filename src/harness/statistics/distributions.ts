import { gammaln } from 'simple-statistics';

/** From this value the continued fraction of the normal tail needs fewer terms than the series. */
const FAR = 3;

/** Terms of the continued fraction, enough for double precision from {@link FAR} on. */
const TERMS = 120;

/** Pairs of terms of the continued fraction of the beta function, enough for any sample here. */
const PAIRS = 300;

/**
 * Probability that a standard normal variable exceeds z. Precise to double precision, also for tiny results: by the
 * series around 0 and the continued fraction far from it (Abramowitz and Stegun 1964, *Handbook of Mathematical
 * Functions*, 26.2.11 and 26.2.14).
 */
export function normalUpperTail(z: number): number {
  if (z < 0) return 1 - normalUpperTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return z < FAR ? 0.5 - density * normalSeries(z) : density / normalFraction(z);
}

/** z + z³/3 + z⁵/(3·5) + z⁷/(3·5·7) + … */
function normalSeries(z: number): number {
  let term = z;
  let total = z;
  for (let odd = 3; term > total * Number.EPSILON; odd += 2) {
    term *= (z * z) / odd;
    total += term;
  }
  return total;
}

/** z + 1/(z + 2/(z + 3/(z + …))), evaluated from its end. */
function normalFraction(z: number): number {
  let value = z;
  for (let k = TERMS; k > 0; k--) value = z + k / value;
  return value;
}

/**
 * Probability that a variable of Student's t distribution is at least as far from 0 as t (two-sided).
 *
 * @param freedom degrees of freedom, above 0
 */
export function studentTwoSided(t: number, freedom: number): number {
  const square = t * t;
  return incompleteBeta(
    freedom / (freedom + square),
    square / (freedom + square),
    freedom / 2,
    0.5,
  );
}

/**
 * The regularized incomplete beta function I_x(a, b) by its continued fraction (DLMF 8.17.22 or, if that converges
 * slowly, 8.17.4; https://dlmf.nist.gov/8.17).
 *
 * @param rest 1 − x, as precisely as it is known
 */
function incompleteBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(rest, x, b, a);
  const logBeta = gammaln(a) + gammaln(b) - gammaln(a + b);
  const front = Math.exp(a * Math.log(x) + b * Math.log(rest) - logBeta) / a;
  return front / betaFraction(x, a, b);
}

/** 1 + d₁/(1 + d₂/(1 + …)), evaluated from its end. */
function betaFraction(x: number, a: number, b: number): number {
  let value = 1;
  for (let m = PAIRS; m >= 0; m--) {
    const k = m + 1;
    const even = (k * (b - k) * x) / ((a + 2 * k - 1) * (a + 2 * k));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    value = 1 + odd / (1 + even / value);
  }
  return value;
}
