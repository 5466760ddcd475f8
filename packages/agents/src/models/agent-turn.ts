import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { Tool } from '../tools/tool.js';
import type { AnswerSchema } from './answer-schema.js';

/** A turn of an agent: a call of a tool, or its answer. */
export type AgentTurn<T> =
  | { readonly call: { readonly tool: string; readonly input: Readonly<Record<string, Json>> } }
  | { readonly answer: T };

/** The schema of turns. An answer without its frame is accepted, too. */
export function turnSchema<T>(
  output: AnswerSchema<T>,
  tools: readonly Tool[],
): AnswerSchema<AgentTurn<T>> {
  return {
    json: turnJson(output.json, tools),
    read(value) {
      const framed = readFrame(value, output);
      if (framed !== null && 'value' in framed) return framed;
      const bare = output.read(value);
      if ('value' in bare) return { value: { answer: bare.value }, raw: bare.raw };
      return framed ?? bare;
    },
  };
}

function readFrame<T>(
  value: Json,
  output: AnswerSchema<T>,
): ReturnType<AnswerSchema<AgentTurn<T>>['read']> | null {
  if (!isObject(value)) return null;
  const { call = null, answer = null, ...others } = value as Readonly<Record<string, Json>>;
  if (Object.keys(others).length > 0 || (call === null && answer === null)) return null;
  if (call !== null && answer !== null) {
    return { problems: ['$: give either a call or an answer, not both'] };
  }
  if (call === null) {
    const read = output.read(answer);
    return 'value' in read ? { value: { answer: read.value }, raw: read.raw } : read;
  }
  const { tool, input } = (isObject(call) ? call : {}) as Readonly<Record<string, Json>>;
  if (typeof tool !== 'string') return { problems: ['$.call.tool: give the name of a tool'] };
  if (!isObject(input)) return { problems: ['$.call.input: give an object'] };
  return { value: { call: { tool, input: input as Readonly<Record<string, Json>> } }, raw: value };
}

/** The JSON Schema of turns: without definitions, since they would lose their place. */
function turnJson(
  output: Readonly<Record<string, Json>>,
  tools: readonly Tool[],
): Readonly<Record<string, Json>> {
  const { $defs, ...answer } = output;
  const calls = tools.map(({ name, input }): Json => {
    const { $schema: _, $id: __, ...schema } = input;
    const properties = { tool: { const: name, type: 'string' }, input: schema };
    return {
      type: 'object',
      properties: properties as Json,
      required: ['tool', 'input'],
      additionalProperties: false,
    };
  });
  return {
    type: 'object',
    properties: { call: { anyOf: calls }, answer },
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}
