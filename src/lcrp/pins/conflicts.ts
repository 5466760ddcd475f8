/** Whether some pins can be kept together. */
type Verdict = 'possible' | 'refuted' | 'undecided';

/** The dropped pins, and why. */
export interface DroppedPins {
  /** Pins that are lost, ascending. */
  readonly lost: readonly number[];
  /** Sets of pins that cannot all be kept; without any one of its members, a set can. */
  readonly conflicts: readonly (readonly number[])[];
}

/** The limit of calls of `decide`: beyond it nothing is proven. */
const MAX_QUESTIONS = 1500;
/** Steps in the choice of the fewest pins. */
const MAX_STEPS = 20_000;

/**
 * Finds the fewest pins to drop so that the others can be kept: conflicts are collected until a least set of pins that
 * hits them all leaves none (implicit hitting sets, Chandrasekaran, Karp, Moreno-Centeno and Vempala 2011,
 * doi:10.1137/1.9781611973082.48). A conflict is minimized by halving (QuickXplain, Junker 2004).
 *
 * @param pins all pins; of equally many, those in front are dropped first
 * @param known conflicts that are known already
 * @param isKept the pins that one known schedule keeps: the fallback if the calls are used up
 */
export function dropPins(
  pins: readonly number[],
  known: readonly (readonly number[])[],
  isKept: (op: number) => boolean,
  decide: (kept: readonly number[]) => Verdict,
): DroppedPins {
  const conflicts = [...known];
  let questions = 0;
  const ask = (kept: readonly number[]): Verdict =>
    questions++ < MAX_QUESTIONS ? decide(kept) : 'undecided';
  for (;;) {
    const hit = leastHit(pins, conflicts);
    const verdict = ask(pins.filter((op) => !hit.has(op)));
    if (verdict === 'possible') return ended(hit, conflicts);
    const conflict =
      verdict === 'refuted'
        ? minimalConflict(
            pins.filter((op) => !hit.has(op)),
            ask,
          )
        : null;
    if (conflict === null) return greedy(pins, conflicts, isKept, ask);
    conflicts.push(conflict);
  }
}

/**
 * Without a proof: the pins of the known schedule, plus every other pin that can be kept together with the pins chosen
 * so far.
 */
function greedy(
  pins: readonly number[],
  conflicts: readonly (readonly number[])[],
  isKept: (op: number) => boolean,
  ask: (kept: readonly number[]) => Verdict,
): DroppedPins {
  const kept = pins.filter(isKept);
  const lost = new Set<number>();
  for (const op of pins.toReversed()) {
    if (isKept(op)) continue;
    if (ask([...kept, op]) === 'possible') kept.push(op);
    else lost.add(op);
  }
  return ended(lost, conflicts);
}

function ended(lost: ReadonlySet<number>, conflicts: readonly (readonly number[])[]): DroppedPins {
  return { lost: [...lost].sort((a, b) => a - b), conflicts };
}

/** A minimal subset of pins that cannot be kept; null if undecided. */
function minimalConflict(
  pins: readonly number[],
  ask: (kept: readonly number[]) => Verdict,
): readonly number[] | null {
  const explain = (base: readonly number[], rest: readonly number[]): readonly number[] | null => {
    if (rest.length === 1) return rest;
    const half = rest.length >> 1;
    const [first, second] = [rest.slice(0, half), rest.slice(half)];
    const needed = refined([...base, ...first], second);
    if (needed === null) return null;
    const others = refined([...base, ...needed], first);
    return others === null ? null : [...others, ...needed];
  };
  /** The part of `rest` that conflicts with `base`. */
  const refined = (base: readonly number[], rest: readonly number[]) => {
    const verdict = ask(base);
    if (verdict === 'refuted') return [];
    return verdict === 'possible' ? explain(base, rest) : null;
  };
  return explain([], pins);
}

/** The fewest pins that hit all conflicts; of equal numbers those in front. */
function leastHit(
  pins: readonly number[],
  conflicts: readonly (readonly number[])[],
): ReadonlySet<number> {
  const rank = new Map(pins.map((op, i) => [op, i]));
  const rankOf = (op: number) => rank.get(op) ?? 0;
  const sets = conflicts.map((one) => one.toSorted((a, b) => rankOf(a) - rankOf(b)));
  let best: ReadonlySet<number> = new Set(sets.map(([first]) => first));
  let steps = MAX_STEPS;
  const descend = (hit: ReadonlySet<number>) => {
    if (hit.size >= best.size || steps-- <= 0) return;
    const open = sets.find((one) => !one.some((op) => hit.has(op)));
    if (open === undefined) {
      best = hit;
      return;
    }
    for (const op of open) descend(new Set([...hit, op]));
  };
  descend(new Set());
  return best;
}
