import type { Token } from './tokens.js';
import { isOtherUnit } from './vocabulary.js';

/** `1.` or `1)` before the words of a list item. */
export function isNumbering([number, mark, next]: readonly Token[]): boolean {
  return (
    number?.kind === 'number' &&
    mark?.glued === true &&
    (mark.text === '.' || mark.text === ')') &&
    next?.glued !== true
  );
}

/** Whether a label names a range: `Job1-5`, but not `Job1-Op5`. */
export function isLabelRange(tokens: readonly Token[], at: number): boolean {
  const [dash, second, after] = tokens.slice(at + 1, at + 4);
  if (dash?.text !== '-' || second?.kind !== 'number') return false;
  const isTime = after?.text === '-' || after?.text === ')' || after?.text === ']';
  return dash.glued && second.glued && !isTime;
}

/** Whether a text is a placeholder for a number: `[tbd]`, `?`, `X1`. */
export function isPlaceholder(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (tokens[at - 1]?.text === '[' || ['?', '<', '{', '...'].includes(token.text)) return true;
  return /^(?:x|y|xx|tbd|n|na)$/.test(token.text);
}

/** The position of the second number of a range such as `0-5`, `0 to 5`, `[0, 5]`; −1 if there is none. */
export function rangeEnd(tokens: readonly Token[], at: number): number {
  let i = at + 1;
  if (isOtherUnit(tokens[i]) && tokens[i].glued) i++;
  const joint = tokens[i];
  const isPair = joint?.text === ',' && ['[', '('].includes(tokens[at - 1]?.text ?? '');
  if (!isPair && !['-', 'to', 'until', '->'].includes(joint?.text ?? '')) return -1;
  if (tokens[i + 1]?.kind !== 'number') return -1;
  if (isPair && ![']', ')'].includes(tokens[i + 2]?.text ?? '')) return -1;
  return i + 1;
}

/** Whether a range of times may begin here: not after a word such as `about`. */
export function beginsRange(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return true;
  if (before.kind === 'number') return true;
  if (before.kind === 'mark')
    return [':', '(', '[', '|', '-', '=', ',', '->'].includes(before.text);
  return ['at', 'time', 'from', 't', 'slot', 'hour'].includes(before.text);
}

/** The position after the bracket that closes the one at this position. */
export function skipBracket(tokens: readonly Token[], at: number): number {
  const [open, close] = tokens[at].text === '(' ? ['(', ')'] : ['[', ']'];
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    if (tokens[i].text === open) depth++;
    else if (tokens[i].text === close && --depth === 0) return i + 1;
  }
  return tokens.length;
}

/** The position of the mark that ends a remark. */
export function skipRemark(tokens: readonly Token[], from: number): number {
  let i = from;
  while (i < tokens.length && ![',', ';', ')', ']', '.', ':'].includes(tokens[i].text)) i++;
  return i;
}

/** Whether there are dots (`..`) at a position. */
export function isDots(tokens: readonly Token[], at: number): boolean {
  return tokens[at + 1]?.text === '.' && tokens[at + 1].glued;
}
