/** The generator's modulus; seeds lie strictly between 0 and it. */
export const TAILLARD_MODULUS = 2 ** 31 - 1;

/** Multiplier, and quotient and remainder of the modulus by it. */
const MULTIPLIER = 16807;
const QUOTIENT = 127773;
const REMAINDER = 2836;

/**
 * The random numbers of Taillard's benchmarks: a linear congruential generator whose products are
 * kept within 31 bits as proposed by Schrage (doi:10.1145/355826.355828), as É. Taillard used it in
 * EJOR 64 (1993) 278–285, doi:10.1016/0377-2217(93)90182-M. Good for reproducing his instances;
 * for anything else there is `core/random`.
 *
 * @param seed 1 … 2^31 − 2
 * @returns a function that gives the next integer, uniform in [low, high]
 */
export function taillardUniform(seed: number): (low: number, high: number) => number {
  let state = seed;
  return (low, high) => {
    const k = Math.floor(state / QUOTIENT);
    state = MULTIPLIER * (state % QUOTIENT) - k * REMAINDER;
    if (state < 0) state += TAILLARD_MODULUS;
    return low + Math.floor((state / TAILLARD_MODULUS) * (high - low + 1));
  };
}
