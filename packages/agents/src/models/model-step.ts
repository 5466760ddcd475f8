import { env } from 'node:process';
import { type StepDefinition, type StepOptions, step } from '@alas-jssp/workflow';
import { type Environment, readEnvironment } from 'alas-jssp/llm';
import type * as z from 'zod';
import { answerSchema, unparsed } from './answer-schema.js';
import type { ModelHandlerOptions } from './handler-options.js';
import type { Model } from './model.js';
import { createModelHandler } from './model-handler.js';
import { openModel, requireModelSpec } from './open-model.js';

/** A step of `defineWorkflow` whose work a model does: the options of `step`, except for its work. */
export interface ModelStepOptions<In extends z.ZodType, Out extends z.ZodType>
  extends Omit<StepOptions<In, Out>, 'run' | 'output' | 'kind'>,
    Pick<ModelHandlerOptions<z.output<Out>, z.output<In>>, (typeof AGENT_KEYS)[number]> {
  /** A model, or its specification, such as `cassette:FILE` in tests; it is opened with the first run. */
  readonly model: string | Model | (() => Model | Promise<Model>);
  /** Variables with the keys, for a model by its specification. Default: the environment of the process, and `.env`. */
  readonly environment?: Environment | undefined;
  /** The task of the model; a function holds what it needs of the input, which then is not appended. */
  readonly prompt: string | ((input: z.output<In>) => string);
  /** Its role. */
  readonly system?: string | undefined;
  /** The schema of its output. */
  readonly schema: Out;
}

/** The default limit of an attempt, in seconds: models take longer than other steps. */
const TIMEOUT = 600;

/**
 * A step whose work a model does, for `defineWorkflow`: prompt, schema, model, budget and tools. Prompt, tokens, cost
 * and answer are in the log. Undo, retries and validators are those of `step`.
 *
 * @throws InputError `bad_model`, `bad_planner` for a bad specification of a model
 */
export function modelStep<Out extends z.ZodType, In extends z.ZodType = z.ZodUnknown>(
  name: string,
  options: ModelStepOptions<In, Out>,
): StepDefinition<z.input<In>, z.output<Out>> {
  const { model, environment, prompt, system = '', schema } = options;
  const handler = createModelHandler<z.input<Out>, z.output<In>>({
    ...pick(options, AGENT_KEYS),
    model: typeof model === 'string' ? lazily(model, environment) : model,
    system,
    instruction: prompt,
    // The step parses it.
    output: unparsed(answerSchema(schema)),
  });
  const own = Object.entries(options).filter(([option]) => !NO_STEP_KEYS.includes(option));
  return step<In, Out>(name, {
    timeout: TIMEOUT,
    ...(Object.fromEntries(own) as Omit<StepOptions<In, Out>, 'run'>),
    output: schema,
    run: handler.run,
  });
}

/** Options of the agent that are not those of the step. */
const AGENT_KEYS = [
  'key',
  'relevant',
  'tools',
  'changes',
  'maxToolCalls',
  'maxBadAnswers',
  'budget',
  'maxOutputTokens',
  'entryFields',
] as const;
const NO_STEP_KEYS: readonly string[] = [
  ...AGENT_KEYS,
  'model',
  'environment',
  'prompt',
  'system',
  'schema',
];

function pick<T extends object, K extends keyof T>(options: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, options[key]])) as Pick<T, K>;
}

/** A model that is opened once, when it is first used. */
function lazily(spec: string, environment: Environment | undefined): () => Promise<Model> {
  requireModelSpec(spec);
  let opened: Promise<Model> | undefined;
  return () => {
    opened ??= openModel(spec, { environment: environment ?? readEnvironment(env) }).catch(
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  };
}
