// Paired differences looked at after every pair: intervals that hold at all times at once, so that a race
// may end as soon as it is decided.

/** Slopes of the test, by percent: the first serve large differences, the last small ones that agree. */
const SLOPES = [0.5, 1, 2, 4, 8].flatMap((slope) => [slope, -slope]);

/**
 * The logarithm of the evidence against the differences being symmetric about `centre`. If they are,
 * the product of exp(λ·x) / cosh(λ·x) over the deviations x is a martingale for every λ, whatever their
 * distribution (de la Peña 1999, doi:10.1214/aop/1022677456), and so is the mean over some λ (Robbins
 * 1970, doi:10.1214/aoms/1177696786): it ever reaches 1/α with probability α at most (Ville).
 */
function evidence(differences: readonly number[], centre: number) {
  const products = SLOPES.map((slope) =>
    differences.reduce(
      (sum, difference) => sum - Math.log1p(Math.exp(-2 * slope * (difference - centre))),
      differences.length * Math.LN2,
    ),
  );
  const most = Math.max(...products);
  const sum = products.reduce((total, each) => total + Math.exp(each - most), 0);
  return most + Math.log(sum / SLOPES.length);
}

/**
 * The mean of paired differences and an interval for their centre, right at all times at once with
 * probability 1 − α at least; without ends as long as there are too few of them.
 */
export function interval(differences: readonly number[], alpha: number) {
  const mean = differences.reduce((sum, x) => sum + x, 0) / Math.max(1, differences.length);
  return {
    mean,
    low: endOf(differences, alpha, mean, -1),
    high: endOf(differences, alpha, mean, 1),
  };
}

/** The nearest centre on one side of the mean that is to be refused, by bisection. */
function endOf(differences: readonly number[], alpha: number, mean: number, side: 1 | -1) {
  const refused = (width: number) =>
    evidence(differences, mean + side * width) >= Math.log(1 / alpha);
  let outside = 1 / 1024;
  while (outside < 1024 && !refused(outside)) outside *= 2;
  if (!refused(outside)) return side * Number.POSITIVE_INFINITY;
  let inside = 0;
  for (let step = 0; step < 20; step++) {
    const middle = (inside + outside) / 2;
    if (refused(middle)) outside = middle;
    else inside = middle;
  }
  return mean + side * outside;
}
