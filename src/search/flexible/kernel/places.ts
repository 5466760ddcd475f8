// Searches in the order of a machine, by bisection, for the places where an operation may be inserted.
import { sequence } from './graph';

/** The first place on a machine, without the operation at place `own`, whose operation ends after a time. */
export function firstThatEndsAfter(
  ends: StaticArray<i32>,
  time: i32,
  base: i32,
  own: i32,
  from: i32,
  length: i32,
): i32 {
  let low = from;
  let high = length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (ends[sequence[base + mid + <i32>(mid >= own)]] > time) high = mid;
    else low = mid + 1;
  }
  return low;
}

/** The first place on a machine, without the operation at place `own`, whose operation has at most this rest. */
export function firstWithRestUpTo(
  rests: StaticArray<i32>,
  most: i32,
  base: i32,
  own: i32,
  from: i32,
  length: i32,
): i32 {
  let low = from;
  let high = length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (rests[sequence[base + mid + <i32>(mid >= own)]] <= most) high = mid;
    else low = mid + 1;
  }
  return low;
}
