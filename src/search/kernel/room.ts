/**
 * An uninitialized array of numbers that are written before they are read. Unlike `new StaticArray`, it is not filled
 * with zeros: untouched memory takes no physical pages.
 */
export function roomFor(length: i32): StaticArray<i32> {
  return changetype<StaticArray<i32>>(__new((<usize>length) << 2, idof<StaticArray<i32>>()));
}
