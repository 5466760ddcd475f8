import { considerAfter, considerBefore } from '../best-move';
import { evaluateN6 } from './n6';

/**
 * N7 (Zhang et al. 2007, doi:10.1016/j.cor.2005.12.002): N6, and the first and the last operation of a critical block
 * moved inside it, under the same conditions.
 *
 * @param path the critical path, with the block in the positions from `first` to `final`
 */
export function evaluateN7(
  path: StaticArray<i32>,
  first: i32,
  final: i32,
  isFirst: bool,
  isLast: bool,
): void {
  evaluateN6(path, first, final, isFirst, isLast);
  for (let i = first + 1; i < final; i++) considerAfter(path[first], path[i]);
  for (let i = final - 1; i > first; i--) considerBefore(path[final], path[i]);
}
