/** An expression, as Amazon States Language marks it. */
export function expression(text: string): string {
  return `{% ${text} %}`;
}

/** A text as JSONata writes it. */
export function quoted(text: string): string {
  return /['"\\\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`;
}

/** A list of texts as JSONata writes it. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(', ')}]`;
}

/** The value under a way of keys in another one: names, or places in lists. */
export function follow(root: string, keys: readonly string[]): string {
  return keys.reduce((before, key) => {
    if (/^\d+$/.test(key)) return `${before}[${key}]`;
    return `${before}.${/^[A-Za-z_]\w*$/.test(key) && !WORDS.has(key) ? key : `\`${key}\``}`;
  }, root);
}

/** NameRegister that JSONata takes for operators. */
const WORDS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** The first of several values that is there, else null: expressions must give something. */
export function firstOf(values: readonly string[]): string {
  const choices = values.map((value) => `$exists(${value}) ? ${value} : `);
  return `${choices.join('')}null`;
}

/** An object of expressions. */
export function objectQuery(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${quoted(key)}: ${value}`).join(', ')}}`;
}

/** Whether an expression gives one of some error codes; `*` stands for any. */
export function codeIn(code: string, codes: readonly string[]): string {
  return codes.includes('*') ? 'true' : `${code} in ${quotedList(codes)}`;
}

/** Whether the path of an effect lies within one of several others. */
export function withinAny(path: string, prefixes: string): string {
  const begins = `$substring(${path}, 0, $length($prefix) + 1) in [$prefix & '/', $prefix & '[']`;
  const inside = `function($prefix) { ${path} = $prefix or ${begins} }`;
  return `$count($filter(${prefixes}, ${inside})) > 0`;
}
