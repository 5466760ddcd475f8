import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Json } from '@alas-jssp/workflow';
import { type AnswerSchema, answerSchema, type SchemaOf } from './answer-schema.js';
import { readRelaxedObject } from './relaxed-json.js';

/** A decoded answer, or the problem with it in one line. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** The number of problems that are listed. */
const MOST_PROBLEMS = 4;

/** Models that think aloud begin with this. */
const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/;

/**
 * Decodes the JSON object in the text of a model, which may be between prose or code fences and may have the usual
 * faults of models, see {@link readRelaxedObject}. An answer that is cut off or broken is refused as a whole, also if
 * an object inside of it would match, and so is an answer with several different objects that match.
 */
export function decodeJson<T = Json>(text: string, schema: SchemaOf<T>): Decoded<T> {
  return decodeWith(text, answerSchema(schema));
}

/** Decodes like {@link decodeJson}, with a schema that was prepared. */
export function decodeWith<T>(text: string, schema: AnswerSchema<T>): Decoded<T> {
  const found = findObjects(text.replace(THOUGHTS, ''));
  if ('problem' in found) return { ok: false, problem: found.problem };
  const read = found.objects.map((object) => schema.read(object));
  const matching = read.flatMap((one) => ('value' in one ? [one] : []));
  const distinct = new Set(matching.map(({ raw }) => canonicalJson(raw)));
  if (distinct.size === 1) return { ok: true, value: matching[0].value };
  if (distinct.size > 1) {
    const problem = `the answer holds ${distinct.size} different objects: give only one`;
    return { ok: false, problem };
  }
  const [first] = read;
  const problems = first !== undefined && 'problems' in first ? first.problems : [];
  const shown = problems.slice(0, MOST_PROBLEMS).join('; ');
  const others = problems.length - MOST_PROBLEMS;
  return { ok: false, problem: others > 0 ? `${shown}; and ${others} more` : shown };
}

/** The outermost objects of a text. */
function findObjects(
  text: string,
): { readonly objects: readonly Json[] } | { readonly problem: string } {
  const objects: Json[] = [];
  let at = text.indexOf('{');
  while (at >= 0) {
    const read = readRelaxedObject(text, at);
    if (read.kind === 'cut off') {
      // Braces in the prose after a complete object are no answer.
      if (objects.length > 0 && !/^\{\s*["']/.test(text.slice(at))) break;
      return { problem: 'the answer is cut off: give the whole object, in fewer words' };
    }
    if (read.kind === 'broken' && read.begun) {
      return {
        problem: `the answer is no JSON: ${read.expected} is missing ${place(text, read.at)}`,
      };
    }
    if (read.kind === 'object') objects.push(read.value);
    at = text.indexOf('{', read.kind === 'object' ? read.end : at + 1);
  }
  if (objects.length > 0) return { objects };
  return { problem: 'the answer holds no JSON object: give one and nothing else' };
}

/** The line of a place, and the text around it. */
function place(text: string, at: number): string {
  const line = text.slice(0, at).split('\n').length;
  const before = text.slice(Math.max(0, at - 20), at).replaceAll(/\s+/g, ' ');
  return `in line ${line}, after ${JSON.stringify(before)}`;
}
