import type { Policy } from '@alas-jssp/workflow';
import type { BodyPlan, Link, NodePlan } from '@alas-jssp/workflow/ir';

/** A value as a JSONata literal. */
export const literal = (value: unknown): string => JSON.stringify(value);

/** The name of the variable with the end of a node. */
export function nodeVariable(id: string): string {
  return `n_${id.replaceAll('_', '__').replaceAll('-', '_h')}`;
}

/** A part of an XML id: letters, digits, - and _ are kept. */
export function idPart(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, (sign) => `.${(sign.codePointAt(0) ?? 0).toString(16)}`);
}

/**
 * Characters that XML cannot represent: control characters, lone surrogates and two noncharacters.
 */
const NO_SIGN = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

/** Texts in which characters that XML cannot represent are escaped as in JSON and JSONata. */
export function legible<T extends Readonly<Record<string, unknown>>>(properties: T): T {
  const texts = Object.entries(properties).map(([key, value]) => {
    if (typeof value !== 'string') return [key, value];
    return [key, value.replace(NO_SIGN, (sign) => escapeOf(sign))];
  });
  return Object.fromEntries(texts);
}

const escapeOf = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value, or null if it is missing. */
function orNull(expression: string): string {
  return `($found := ${expression}; $exists($found) ? $found : null)`;
}

/** Whether one of several variables is set. */
export function isAnySet(variables: readonly string[]): string {
  return `(${variables.map((name) => `$boolean($${name})`).join(' or ')})`;
}

function keysOf(root: string, keys: readonly string[]): string {
  return keys.reduce((before, key) => {
    if (/^\d+$/.test(key)) return itemOf(before, key);
    return key.includes('`') ? `$lookup(${before}, ${literal(key)})` : `${before}.\`${key}\``;
  }, root);
}

/** The item of a list by its number; of an object the value that has this number as its key. */
function itemOf(before: string, key: string): string {
  const named = `$type($of) = "object" ? $lookup($of, ${literal(key)})`;
  return `($of := ${before}; $type($of) = "array" ? $of[${key}] : ${named})`;
}

function oneReference(reference: string): string {
  const [root, ...keys] = reference.split('.');
  if (root === 'input') return keysOf('$input', keys);
  return keysOf(`$${nodeVariable(keys.shift() ?? '')}.output`, keys);
}

/** An expression for the value of a reference: of a list, the first that exists. */
function referenceText(reference: string | readonly string[]): string {
  const all = typeof reference === 'string' ? [reference] : reference;
  const texts = all.map(oneReference);
  if (texts.length === 1) return orNull(texts[0]);
  const tries = texts.map((text) => `$exists(${text}) ? ${text}`);
  return `(${tries.join(' : ')} : null)`;
}

/** The keys of a path below a value. */
export function below(variable: string, reference: string): string {
  return keysOf(`$${variable}`, reference.split('.').slice(1));
}

function isTaken({ kind, edge }: Link, variable: string): string {
  if (kind === 'sequence') return `$${variable}.status = "done"`;
  return `($${variable}.status = "done" and $${variable}.chosen = ${edge})`;
}

/** The input of a node: by its mapping, or from its predecessors that ran. */
export function inputText({ nodes }: BodyPlan, plan: NodePlan): string {
  const { input } = plan.node;
  if (typeof input === 'string' || Array.isArray(input)) return referenceText(input);
  if (input !== undefined) {
    const parts = Object.entries(input).map(
      ([key, one]) => `${literal(key)}: ${referenceText(one)}`,
    );
    return `{${parts.join(', ')}}`;
  }
  if (plan.into.length === 0) return '$input';
  const caught: string[] = [];
  const before = new Map<string, string[]>();
  for (const link of plan.into) {
    const { id } = nodes[link.from].node;
    const variable = nodeVariable(id);
    if (link.kind === 'catch') {
      const holds = `$${variable}.caughtBy = ${literal(plan.node.id)}`;
      caught.push(`${holds} ? {"error": $${variable}.error, "input": $${variable}.input} : `);
    } else before.set(id, [...(before.get(id) ?? []), isTaken(link, variable)]);
  }
  const ways = [...before].map(([id, taken]) => {
    const output = orNull(`$${nodeVariable(id)}.output`);
    return { id, holds: taken.join(' or '), output };
  });
  const [only] = ways;
  if (ways.length === 0) return `(${caught.join('')}$input)`;
  if (ways.length === 1) return `(${caught.join('')}${only.output})`;
  const parts = ways.map(({ id, holds, output }) => {
    return `${holds} ? {${literal(id)}: ${output}} : {}`;
  });
  return `(${caught.join('')}(${onlyOrAll(`$merge([${parts.join(', ')}])`, '$input')}))`;
}

/** The only value of an object, or the whole object; the alternative if it is empty. */
function onlyOrAll(object: string, empty: string): string {
  const only = '$lookup($all, $names[0])';
  return `$all := ${object}; $names := [$keys($all)]; $count($names) = 0 ? ${empty} : $count($names) = 1 ? ${only} : $all`;
}

/** The output of a body: by its reference, or of its last nodes that ran. */
export function outputText({ body, nodes }: BodyPlan): string {
  if (body.output !== undefined) return referenceText(body.output);
  const last = nodes.filter(({ out }) => out.every(({ kind }) => kind === 'catch'));
  if (last.length === 1) return orNull(`$${nodeVariable(last[0].node.id)}.output`);
  const parts = last.map(({ node: { id } }) => {
    const variable = `$${nodeVariable(id)}`;
    return `${variable}.status = "done" ? {${literal(id)}: ${orNull(`${variable}.output`)}} : {}`;
  });
  return `(${onlyOrAll(`$merge([${parts.join(', ')}])`, 'null')})`;
}

/** A guard: false if it has no value. */
export function guardText(guard: string, bindings: Readonly<Record<string, string>>): string {
  const bound = Object.entries(bindings).map(([name, text]) => `$${name} := ${text}; `);
  return `(${bound.join('')}$holds := (${guard}); $exists($holds) ? $holds : false)`;
}

/** Whether a code is one of those that a policy names. */
export function matchText(codes: readonly string[], code: string): string {
  return codes.includes('*') ? 'true' : `${code} in ${literal(codes)}`;
}

/** The wait after an attempt in seconds, as JSONata over the number of the attempt. */
export function waitText(backoff: Policy['backoff'], attempt: string): string {
  if (backoff === undefined) return '0';
  const { mode, base, cap, jitter } = backoff;
  const full = mode === 'fixed' ? `${base}` : `${base} * $power(2, ${attempt} - 1)`;
  const capped = cap === undefined ? full : `$min([${cap}, ${full}])`;
  return jitter === 0 ? capped : `(${capped}) * (1 - ${jitter} * $random())`;
}

/** Maximum seconds of a timer: about three years, the limit of a step in other engines. */
export const MOST_SECONDS = 99_999_999;

/** Seconds as a duration (ISO 8601). */
export const durationOf = (seconds: number): string => `PT${Math.min(seconds, MOST_SECONDS)}S`;

/** A variable, as the engine's own expressions name it. */
export const variableText = (name: string): string => `\${${name}}`;
