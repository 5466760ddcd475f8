// Paired differences looked at after every pair: intervals that hold at all times at once, so that a race
// may end as soon as it is decided.

/** Typical difference of a pair in percent, and the number of pairs for which intervals are shortest. */
const SCALE = 0.5;
const PAIRS = 24;
/** Variance of the mixture over the slopes of the test. */
const SPREAD = 1 / (PAIRS * SCALE * SCALE);

/**
 * The logarithm of the evidence against the differences being symmetric about `centre`. If they are,
 * exp(λ·S − λ²·V/2) is a supermartingale for every λ, S being the sum of the deviations and V that of
 * their squares, whatever their distribution (de la Peña 1999, doi:10.1214/aop/1022677456), and so is
 * its mixture over normal λ (Robbins 1970, doi:10.1214/aoms/1177696786): it ever reaches 1/α with
 * probability α at most (Ville).
 */
function evidence(differences, centre) {
  let sum = 0;
  let squares = 0;
  for (const difference of differences) {
    sum += difference - centre;
    squares += (difference - centre) ** 2;
  }
  const scale = 1 + SPREAD * squares;
  return (SPREAD * sum * sum) / (2 * scale) - Math.log(scale) / 2;
}

/**
 * The mean of paired differences and an interval for their centre, right at all times at once with
 * probability 1 − α at least; without ends as long as there are too few of them.
 */
export function interval(differences, alpha) {
  const mean = differences.reduce((sum, x) => sum + x, 0) / Math.max(1, differences.length);
  return {
    mean,
    low: endOf(differences, alpha, mean, -1),
    high: endOf(differences, alpha, mean, 1),
  };
}

/** The nearest centre on one side of the mean that is to be refused, by bisection. */
function endOf(differences, alpha, mean, side) {
  const refused = (width) => evidence(differences, mean + side * width) >= Math.log(1 / alpha);
  let outside = 1 / 1024;
  while (outside < 1024 && !refused(outside)) outside *= 2;
  if (!refused(outside)) return side * Number.POSITIVE_INFINITY;
  let inside = 0;
  for (let step = 0; step < 40; step++) {
    const middle = (inside + outside) / 2;
    if (refused(middle)) outside = middle;
    else inside = middle;
  }
  return mean + side * outside;
}
