import type { Trail } from './trail.js';

/** The levels of the literals of a learned clause. */
interface ClauseLevels {
  /** The deepest level among all literals but the first; 0 without others. */
  depth: number;
  /** The number of levels of its literals (literal block distance). */
  levels: number;
}

/** Measures learned clauses, and moves a literal of the deepest level but the first to the second place. */
export function createClauseLevels(
  trail: Trail,
  variables: number,
): (learned: Int32Array, length: number) => ClauseLevels {
  const stamp = new Int32Array(variables + 3);
  const measured: ClauseLevels = { depth: 0, levels: 1 };
  let now = 0;
  return (learned, length) => {
    now++;
    measured.depth = 0;
    measured.levels = 1;
    let deepest = 1;
    for (let i = 1; i < length; i++) {
      const depth = trail.level[trail.eventOf[learned[i] >> 1]];
      if (depth > measured.depth) {
        measured.depth = depth;
        deepest = i;
      }
      if (stamp[depth] !== now) {
        stamp[depth] = now;
        measured.levels++;
      }
    }
    if (length < 2) return measured;
    const second = learned[deepest];
    learned[deepest] = learned[1];
    learned[1] = second;
    return measured;
  };
}
