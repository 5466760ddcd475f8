import { considerAfter } from '../best-move';

/**
 * N5 (Nowicki and Smutnicki 1996, doi:10.1287/mnsc.42.6.797): swaps the first two and the last two operations of a
 * critical block. On a path from start to end, swapping the first two operations of the first block or the last two of
 * the last block gains nothing. Swaps of neighbours on a critical path never close a cycle (van Laarhoven et al. 1992,
 * doi:10.1287/opre.40.1.113).
 *
 * @param path the critical path, with the block in the positions from `first` to `final`
 */
export function evaluateN5(
  path: StaticArray<i32>,
  first: i32,
  final: i32,
  isFirst: bool,
  isLast: bool,
): void {
  const isPair = final - first === 1;
  if (!isFirst || isPair) considerAfter(path[first], path[first + 1]);
  if (!isLast && !isPair) considerAfter(path[final - 1], path[final]);
}
