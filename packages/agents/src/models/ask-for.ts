import type { Json } from '@alas-jssp/workflow';
import type { Answer, Message } from 'alas-jssp/llm';
import { type AnswerSchema, answerSchema, answerShape, type SchemaOf } from './answer-schema.js';
import { decodeWith } from './decode-json.js';
import type { Model } from './model.js';

/** A question to a model, whose answer is JSON. */
export interface Question<T> {
  /** See `ModelRequest`. */
  readonly key: string;
  readonly occurrence?: number | undefined;
  readonly system: string;
  readonly prompt: string;
  /** The schema of the answer: of zod, or a JSON Schema of an object. */
  readonly schema: SchemaOf<T>;
  /** An earlier answer, and what is wrong with it. */
  readonly previous?: { readonly text: string; readonly problem: string } | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A decoded answer of a model, or the problem with it in one line, which the model can be given. */
export type AskedAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly answer: Answer }
  | { readonly ok: false; readonly problem: string; readonly answer: Answer };

/**
 * Asks a model for JSON: the schema goes along as structured output if it can be expressed so, and as text in any case.
 *
 * @throws LlmError if the model gives no answer at all
 */
export async function askFor<T = Json>(
  model: Model,
  question: Question<T>,
): Promise<AskedAnswer<T>> {
  const schema = answerSchema(question.schema);
  const { key, occurrence, maxOutputTokens, signal } = question;
  const shape = answerShape(schema.json, key) ?? undefined;
  const messages = questionMessages(question, schema);
  const request = { key, occurrence, messages, shape, maxOutputTokens };
  return readAnswer(await model.ask(request, signal), schema);
}

/** Decodes an answer; one that is cut off or a refusal has a problem. */
export function readAnswer<T>(answer: Answer, schema: AnswerSchema<T>): AskedAnswer<T> {
  if (answer.finish === 'length') {
    const problem = `the answer is cut off after ${answer.tokens.output} tokens: give the whole object, in fewer words`;
    return { ok: false, problem, answer };
  }
  if (answer.finish === 'refusal') return { ok: false, problem: 'the model refused', answer };
  return { ...decodeWith(answer.text, schema), answer };
}

/** The messages of a question. */
export function questionMessages<T>(
  { system, prompt, previous }: Question<T>,
  { json }: AnswerSchema<T>,
): Message[] {
  const form = `Answer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(json)}`;
  const messages: Message[] = [
    { role: 'system', content: system === '' ? form : `${system}\n\n${form}` },
    { role: 'user', content: prompt },
  ];
  if (previous === undefined) return messages;
  const again = `This answer is wrong: ${previous.problem}\nGive the whole corrected object.`;
  return [
    ...messages,
    { role: 'assistant', content: previous.text },
    { role: 'user', content: again },
  ];
}
