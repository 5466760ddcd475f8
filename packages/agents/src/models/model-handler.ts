import { AlasError } from '@alas-jssp/core/errors';
import type { Handler, Json } from '@alas-jssp/workflow';
import type { Tool } from '../tools/tool.js';
import { runAgent } from './agent-loop.js';
import { type AnswerSchema, answerSchema, type SchemaOf } from './answer-schema.js';
import type { ModelHandlerOptions } from './handler-options.js';

/**
 * Makes the handler of a step whose work a model does. It logs `Request` and `Response` for every request, with parts of
 * the prompt by name so that redaction finds secrets by their keys and schemas, and `Decide` if the output has a
 * `decision`. The output matches its schema, or the handler throws.
 *
 * A tool that changes something, called by a model, has effects that the step must undo. Such tools are offered only
 * with `changes`; their idempotency keys derive from the key of the step, the number of the call, and the call itself.
 *
 * @returns a handler that throws AlasError `BadAnswer`, and the errors of models and budgets
 */
export function createModelHandler<T = Json, I = Json>(
  options: ModelHandlerOptions<T, I>,
): Handler<I, T> {
  const { tools, changes = false, maxToolCalls = 8, maxBadAnswers = 3 } = options;
  const { output } = options;
  const schema = isPrepared(output) ? output : answerSchema(output);
  requireCount('maxToolCalls', maxToolCalls, 0);
  requireCount('maxBadAnswers', maxBadAnswers, 1);
  const isOffered = ({ access }: Tool) => access === 'read' || changes;
  const offered = maxToolCalls === 0 ? [] : (tools?.tools.filter(isOffered) ?? []);
  return {
    kind: 'external',
    async run(input, context) {
      const { model } = options;
      const opened = typeof model === 'function' ? await model() : model;
      return runAgent(
        { ...options, model: opened, schema, offered, maxToolCalls, maxBadAnswers },
        input,
        context,
      );
    },
  };
}

function requireCount(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new AlasError(
    'bad_option',
    `${name} is ${value}: give a whole number from ${least}`,
    value,
  );
}

function isPrepared<T>(output: SchemaOf<T> | AnswerSchema<T>): output is AnswerSchema<T> {
  return 'read' in output && typeof output.read === 'function';
}
