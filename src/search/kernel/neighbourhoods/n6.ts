import { considerAfter } from '../best-move';
import { considerAllAfter, considerAllBefore } from '../block-moves';

/**
 * N6 (Balas and Vazacopoulos 1998, doi:10.1287/mnsc.44.2.262): moves any operation of a critical block right after its
 * last one, or right before its first one. By their propositions 2.2 and 2.3 moving u after v closes no cycle if the
 * rest of v is at least that of the job successor of u, and moving v before u closes none if u ends no earlier than the
 * job predecessor of v. The conditions of `considerAfter` and `considerBefore` allow slightly more moves: they compare
 * with the start of the job predecessor and the tail of the job successor, which suffices because durations are
 * positive.
 *
 * @param path the critical path, with the block in the positions from `first` to `final`
 */
export function evaluateN6(
  path: StaticArray<i32>,
  first: i32,
  final: i32,
  isFirst: bool,
  isLast: bool,
): void {
  if (final - first === 1) {
    considerAfter(path[first], path[final]);
    return;
  }
  if (!isLast) considerAllAfter(path, first, final);
  if (!isFirst) considerAllBefore(path, first, final);
}
