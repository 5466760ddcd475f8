/** State of the generator: xorshift, 32 bits (Marsaglia 2003, doi:10.18637/jss.v008.i14). */
let state: u32 = 1;

/** Seeds the generator; 0, a fixed point, counts as 1. */
export function seedRandom(seed: u32): void {
  state = seed === 0 ? 1 : seed;
}

/** The next 32 random bits. */
export function random(): u32 {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/** A random integer from 0 to `below` − 1. */
export function randomBelow(below: i32): i32 {
  return <i32>((<u64>random() * <u64>below) >> 32);
}

/** A random fraction from 0 to just below 1. */
export function randomFraction(): f64 {
  return <f64>random() / 4294967296;
}
