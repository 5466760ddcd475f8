/** Cells that name several things, one of which is enough. */
const EITHER = /\s*\|\s*|\s+\/\s+|\s+(?:or|oder|ou)\s+/i;
/** Cells that name several things, all of which are needed. */
const BOTH = /\s+\+\s+|\s*&\s*|\s+(?:and|und|et)\s+/i;

/** The alternatives in a cell: `Lathe 1 | Lathe 2`, `Lathe 1 or Lathe 2`. */
export function alternativesIn(cell: string): string[] {
  return cell.split(EITHER).filter((name) => name !== '');
}

/** An operator or tool that work needs, as named in a file. */
export interface NamedNeed {
  readonly name: string;
  readonly amount: number;
}

/**
 * The needs in a cell, as alternatives of what is needed at the same time: `Ana`, `Ana | Ben`, `2 x fitters + Ana`. One
 * empty alternative if the cell is empty.
 */
export function needsIn(cell: string): NamedNeed[][] {
  const alternatives = alternativesIn(cell).map((all) =>
    all
      .split(BOTH)
      .filter((name) => name !== '')
      .map((text) => {
        const [, digits, name] = /^(\d+)\s*[x×*]\s*(.+)$/i.exec(text) ?? [];
        return { name: name ?? text, amount: Number(digits ?? 1) };
      }),
  );
  return alternatives.length === 0 ? [[]] : alternatives;
}

/** The same needs with those of another cell: each alternative of one with each of the other. */
export function combineNeeds<T>(
  one: readonly (readonly T[])[],
  other: readonly (readonly T[])[],
): T[][] {
  return one.flatMap((first) => other.map((second) => [...first, ...second]));
}
