import { gammaln } from 'simple-statistics';

/** Pairs of terms of the continued fraction: enough for any number of degrees of freedom we meet. */
const PAIRS = 300;

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
 * The regularized incomplete beta function I_x(a, b) by its continued fraction (DLMF 8.17.22 and, where
 * that converges slowly, 8.17.4; https://dlmf.nist.gov/8.17).
 *
 * @param rest 1 − x, as precisely as it is known
 */
function incompleteBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(rest, x, b, a);
  const logBeta = gammaln(a) + gammaln(b) - gammaln(a + b);
  const front = Math.exp(a * Math.log(x) + b * Math.log(rest) - logBeta) / a;
  return front / fraction(x, a, b);
}

/** 1 + d₁/(1 + d₂/(1 + …)), from its end. */
function fraction(x: number, a: number, b: number): number {
  let value = 1;
  for (let m = PAIRS; m >= 0; m--) {
    const k = m + 1;
    const even = (k * (b - k) * x) / ((a + 2 * k - 1) * (a + 2 * k));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    value = 1 + odd / (1 + even / value);
  }
  return value;
}
