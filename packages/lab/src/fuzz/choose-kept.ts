// Which inputs are kept in the repository: what was kept before, and short ones that reach more, within a limit.
import { toLine } from './corpus.js';

/** The length of a kept input, and of all inputs of a target, as lines. */
const LONGEST = 1500;
const MOST = 14_000;

/** The corpus of a target after a run. */
export function chooseKept(
  kept: readonly Uint8Array[],
  reached: readonly Uint8Array[],
): Uint8Array[] {
  const lines = new Map(kept.map((input) => [toLine(input), input]));
  let length = [...lines.keys()].reduce((sum, line) => sum + line.length + 1, 0);
  for (const input of reached.toSorted((a, b) => a.length - b.length)) {
    const line = toLine(input);
    if (lines.has(line) || line.length > LONGEST || length + line.length > MOST) continue;
    lines.set(line, input);
    length += line.length + 1;
  }
  return [...lines.values()];
}
