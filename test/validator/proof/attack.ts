import type { Instance } from '../../../src/jssp/instance.js';
import { checkProof } from '../../../src/validator/proof/check-proof.js';

/** Draws a whole number below a limit. */
export type Draw = (limit: number) => number;

const OPEN = /^it ends after line/;
const NO_CONTRADICTION = /the steps end without a contradiction$/;
const RULES = 'pstcolfhq';

/**
 * Tries to make the checker accept a bound: it offers lines of all kinds, keeps each that is accepted, and lets the
 * steps of clauses grow as long as only the contradiction is missing.
 *
 * @param header the first three lines, which claim the bound
 * @param tries how many lines are offered
 * @returns the accepted proof; null if no attempt succeeded
 */
export async function attack(
  instance: Instance,
  header: readonly string[],
  draw: Draw,
  tries: number,
): Promise<string[] | null> {
  const lines = [...header];
  let clauses = 0;
  let isGrowing = false;
  for (let x = 0; x < tries; x++) {
    const line = isGrowing
      ? `${lines.pop()} ${drawStep(instance, draw, clauses)}`
      : drawLine(instance, draw, clauses + 1);
    const before = isGrowing ? line.slice(0, line.search(/ [a-z][^a-z]*$/)) : null;
    const { valid, problem } = await checkProof(instance, [...lines, line]);
    if (valid) return [...lines, line];
    const isOpen = OPEN.test(problem ?? '');
    const isUnfinished = NO_CONTRADICTION.test(problem ?? '');
    if (isOpen) lines.push(line);
    else if (isUnfinished) lines.push(line);
    else if (before !== null) lines.push(before);
    if (isOpen && line.startsWith('c ')) clauses++;
    isGrowing = isUnfinished || (isGrowing && !isOpen);
    if (isGrowing && draw(12) === 0) {
      lines.pop();
      isGrowing = false;
    }
  }
  return null;
}

function drawLine(instance: Instance, draw: Draw, clause: number): string {
  if (draw(3) > 0) return `r ${drawStep(instance, draw, clause - 1)}`;
  if (draw(20) === 0) return `d ${draw(clause + 1)}`;
  const orders = Array.from({ length: 1 + draw(3) }, () => drawSome(instance, draw, 2).join(' '));
  return `c ${draw(20) === 0 ? draw(clause) : clause} ${orders.join(' ')} :`;
}

function drawStep(instance: Instance, draw: Draw, clauses: number): string {
  const rule = RULES[draw(RULES.length)];
  if (rule === 'c') return `c ${draw(clauses + 2)}`;
  const size = { p: 2, s: 2, t: 3 }[rule] ?? 1 + draw(4);
  return `${rule} ${drawSome(instance, draw, size).join(' ')}`;
}

/** Operations, mostly different ones of one machine. */
function drawSome({ operations, machine }: Instance, draw: Draw, size: number): number[] {
  const first = draw(operations);
  const some = [first];
  const others = Array.from({ length: operations }, (_, op) => op).filter(
    (op) => op !== first && machine[op] === machine[first],
  );
  while (some.length < size) {
    if (others.length === 0 || draw(20) === 0) some.push(draw(operations));
    else some.push(...others.splice(draw(others.length), 1));
  }
  return some;
}
