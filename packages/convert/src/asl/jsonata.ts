/** An expression, as Amazon States Language marks it. */
export function expression(text: string): string {
  return `{% ${text} %}`;
}

/** A text as JSONata writes it. */
export function quoted(text: string): string {
  return /['"\\\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`;
}

/**
 * A text as a template with exactly this text: one that looks like an expression is not evaluated,
 * and form checkers reject several lines.
 */
export function plainText(text: string): string {
  if (!/^\{%[\s\S]*%\}$|[\r\n\u2028\u2029]/.test(text)) return text;
  return jsonExpression(text);
}

/** A value as an expression with exactly this value, whatever texts it contains. */
export function jsonExpression(value: unknown): string {
  return expression(JSON.stringify(value).replaceAll('%', '\\u0025'));
}

/** A list of texts as JSONata writes it. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(', ')}]`;
}

/** The value under a path of keys in another one: names, or indexes of lists. */
export function follow(root: string, keys: readonly string[]): string {
  return keys.reduce((before, key) => {
    if (/^\d+$/.test(key)) return itemOf(before, key);
    if (key.includes('`')) return `$lookup(${before}, ${quoted(key)})`;
    return `${before}.${/^[A-Za-z_]\w*$/.test(key) && !WORDS.has(key) ? key : `\`${key}\``}`;
  }, root);
}

/** The item of a list by its number; of an object the value that has this number as its key. */
function itemOf(before: string, key: string): string {
  const named = `$type($of) = 'object' ? $lookup($of, ${quoted(key)})`;
  return `($of := ${before}; $type($of) = 'array' ? $of[${key}] : ${named})`;
}

/** Words that JSONata treats as operators. */
const WORDS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** The first existing value of several, else null: expressions must have a value. */
export function firstOf(values: readonly string[]): string {
  const choices = values.map((value) => `$exists(${value}) ? ${value} : `);
  return `${choices.join('')}null`;
}

/** An object of expressions. */
export function objectQuery(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${quoted(key)}: ${value}`).join(', ')}}`;
}

/** Whether an expression has one of some error codes; `*` matches any. */
export function codeIn(code: string, codes: readonly string[]): string {
  return codes.includes('*') ? 'true' : `${code} in ${quotedList(codes)}`;
}

/** Whether the path of an effect lies within one of several others. */
export function withinAny(path: string, prefixes: string): string {
  const begins = `$substring(${path}, 0, $length($prefix) + 1) in [$prefix & '/', $prefix & '[']`;
  const inside = `function($prefix) { ${path} = $prefix or ${begins} }`;
  return `$count($filter(${prefixes}, ${inside})) > 0`;
}
