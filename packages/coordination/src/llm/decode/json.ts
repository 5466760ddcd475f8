import { type Row, roleOf } from './rows.js';

/** A list of actions in the JSON of a text, with the values next to it. */
export interface JsonPlan {
  readonly rows: readonly Row[];
  readonly beside: Readonly<Record<string, unknown>>;
}

/** Maximum nesting depth that is searched. */
const DEEPEST = 20;
const LISTS = ['actions', 'plan', 'schedule', 'steps'];

/**
 * The plans in all JSON of a text, fenced or not: objects with a list of actions, and lists of actions. If the end of
 * the JSON is missing, its complete objects count as one plan.
 */
export function jsonPlansOf(text: string): JsonPlan[] {
  const plans: JsonPlan[] = [];
  let loose: Record<string, unknown>[] = [];
  const settleLoose = () => {
    if (loose.length > 0) plans.push({ rows: loose.map(rowOf), beside: {} });
    loose = [];
  };
  for (const value of valuesOf(text)) {
    const plan = planOf(value, 0);
    if (plan !== null) {
      settleLoose();
      plans.push(plan);
    } else if (isRecord(value) && isAction(value)) loose.push(value);
  }
  settleLoose();
  return plans;
}

/** The list of actions in a value, at any depth. */
function planOf(value: unknown, depth: number): JsonPlan | null {
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) {
    const items = value.filter(isRecord);
    return items.length > 0 && items.every(isAction)
      ? { rows: items.map(rowOf), beside: {} }
      : null;
  }
  if (!isRecord(value)) return null;
  for (const [key, list] of Object.entries(value)) {
    if (!LISTS.includes(key.toLowerCase()) || !Array.isArray(list)) continue;
    const rows = list.filter(isRecord).map(rowOf);
    if (rows.length > 0 || list.length === 0) return { rows, beside: value };
  }
  for (const one of Object.values(value)) {
    const plan = planOf(one, depth + 1);
    if (plan !== null) return { ...plan, beside: { ...value, ...plan.beside } };
  }
  return null;
}

/** Whether an object has a time and another field of an action. */
function isAction(value: Readonly<Record<string, unknown>>): boolean {
  const roles = Object.keys(value).map(roleOf);
  const isTimed = roles.includes('time') || roles.includes('start');
  return isTimed && roles.some((role) => role !== null && !['time', 'start', 'end'].includes(role));
}

function rowOf(value: Readonly<Record<string, unknown>>, i: number): Row {
  const cells = Object.entries(value).flatMap(([key, cell]) => {
    const role = roleOf(key);
    if (role === null || role === 'note') return [];
    if (Array.isArray(cell)) {
      const items = cell.filter((one) => typeof one === 'string');
      return [{ role, text: items.join(', '), items }];
    }
    const isScalar = typeof cell === 'string' || typeof cell === 'number';
    // A JSON string is one name, whatever signs it contains, unless it has a separator.
    const items = typeof cell === 'string' && !/[,;&]/.test(cell) ? { items: [cell] } : {};
    return isScalar ? [{ role, text: String(cell), ...items }] : [];
  });
  return { place: `actions[${i}]`, cells };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All outermost objects and lists of a text that can be parsed, in order. */
export function valuesOf(text: string): unknown[] {
  const values: unknown[] = [];
  const ends = closingsOf(text);
  // Limits the characters that are parsed in nested brackets that are not JSON.
  let left = DEEPEST * text.length;
  for (let at = 0; at < text.length; at++) {
    const end = ends.get(at);
    if (end === undefined || left < end - at) continue;
    const value = parse(text.slice(at, end));
    left -= end - at;
    if (value === undefined) continue;
    values.push(value);
    at = end - 1;
  }
  return values;
}

/** Positions of closing brackets by those of their opening ones; strings end with their line. */
function closingsOf(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\n') quoted = false;
    else if (quoted) {
      if (sign === '\\') at++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = open.length > 0;
    else if (sign === '{' || sign === '[') open.push(at);
    else if (sign === '}' || sign === ']') {
      const from = open.pop();
      if (from !== undefined && (text[from] === '{') === (sign === '}')) ends.set(from, at + 1);
    }
  }
  return ends;
}

/** A text as JSON, tolerating extra commas, comments and wrong quotation marks; undefined if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const cleaned = text
      .replaceAll(/[“”]/g, '"')
      .replaceAll(/(^|[\s,[{])\/\/[^\n]*/g, '$1')
      .replaceAll(/,(?=\s*[}\]])/g, '');
    if (cleaned === text) return undefined;
    try {
      return JSON.parse(cleaned);
    } catch {
      return undefined;
    }
  }
}
