/** A value as JSON without double braces, which Argo would replace. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('{{', '{\\u007b');
}

/** A text in an expression of Argo (expr-lang). */
export function exprText(text: string): string {
  return safeJson(text).replaceAll('}}', '}\\u007d');
}

/** An expression as the value of a parameter or a condition. Its own braces do not end it. */
export function tag(expression: string): string {
  return `{{=${expression.replace(/\}(?=\})/g, '} ').replace(/\}$/, '} ')}}}`;
}

/** A looked-up value, its definitions, and whether it exists (null does). */
export interface Lookup {
  /** Definitions before the expression that uses it. */
  readonly lets: readonly string[];
  readonly value: string;
  readonly present: string;
}

/** Returns a new variable name for an expression. */
export type Fresh = () => string;

/** Makes variable names that are unique within an expression. */
export function createFresh(): Fresh {
  let count = 0;
  return () => `v${count++}`;
}

/**
 * Follows keys into a value. Non-objects have no members; list items have their indexes as keys.
 *
 * @param lists `refuse` makes a key of a list an error: JSONata would look into each item
 */
export function lookUp(
  root: string,
  keys: readonly string[],
  fresh: Fresh,
  lists: 'refuse' | 'number',
): Lookup {
  const lets: string[] = [];
  let at = root;
  let present = 'true';
  for (const key of keys) {
    const outer = fresh();
    const inner = fresh();
    const there = fresh();
    const k = exprText(key);
    const number = /^(0|[1-9]\d*)$/.test(key);
    lets.push(`let ${outer} = ${at}`);
    const asObject = `type(${outer}) == "map" ? ${outer}?.[${k}]`;
    if (lists === 'refuse') {
      lets.push(`let ${there} = type(${outer}) == "map" && ${k} in ${outer}`);
      lets.push(`let ${inner} = ${asObject} : type(${outer}) == "array" ? ${ERROR} : nil`);
    } else if (number) {
      const inside = `type(${outer}) == "array" && len(${outer}) > ${key}`;
      lets.push(`let ${there} = ${inside} || type(${outer}) == "map" && ${k} in ${outer}`);
      lets.push(`let ${inner} = ${inside} ? ${outer}[${key}] : ${asObject} : nil`);
    } else {
      lets.push(`let ${there} = type(${outer}) == "map" && ${k} in ${outer}`);
      lets.push(`let ${inner} = ${asObject} : nil`);
    }
    at = inner;
    present = there;
  }
  return { lets, value: at, present };
}

/** An expression that fails: the only way to express that a guard has no result. */
export const ERROR = 'fromJSON("!")';

/** An expression in brackets, with those definitions that it needs. */
export function withLets(lets: readonly string[], expression: string): string {
  let text = expression;
  for (const one of [...lets].reverse()) {
    const [, name] = /^let (\w+) =/.exec(one) ?? [];
    if (new RegExp(`\\b${name}\\b`).test(text)) text = `${one}; ${text}`;
  }
  return text === expression ? expression : `(${text})`;
}
