import type { Random } from './random.js';

/** Draws from the exponential distribution by inversion. `mean` must be positive. */
export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.next());
}

/**
 * Draws from the standard normal distribution; uses two random numbers (Box and Muller 1958,
 * doi:10.1214/aoms/1177706645).
 */
export function standardNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** Draws from the lognormal distribution with mean 1 whose logarithm has the deviation `sigma`. */
export function logNormal(random: Random, sigma: number): number {
  return Math.exp(sigma * standardNormal(random) - (sigma * sigma) / 2);
}
