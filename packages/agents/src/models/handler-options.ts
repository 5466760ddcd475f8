import type { Json, StepContext } from '@alas-jssp/workflow';
import type { RelevantContext } from '../context/relevant-context.js';
import type { Toolset } from '../tools/toolset.js';
import type { AgentBudget } from './allowance.js';
import type { AnswerSchema, SchemaOf } from './answer-schema.js';
import type { Model } from './model.js';

/** An agent with a prompt: the handler of a step whose work a model does. */
export interface ModelHandlerOptions<T, I = Json> {
  readonly model: Model | (() => Model | Promise<Model>);
  /** See `ModelRequest`. Default: `agent/PATH` with the path of the node. */
  readonly key?: string | undefined;
  /** Its role. */
  readonly system: string;
  /** Its task; a function holds what it needs of the input, which then is not appended. */
  readonly instruction: string | ((input: I) => string);
  /** The schema of its output: of zod, or a JSON Schema of an object. */
  readonly output: SchemaOf<T> | AnswerSchema<T>;
  /** The facts that it needs besides its input, see `relevantContext`. */
  readonly relevant?: ((context: StepContext) => RelevantContext | null) | undefined;
  /** Tools that it may call, already limited to its capabilities. */
  readonly tools?: Toolset | undefined;
  /** Whether it may call tools that change something. Default: it is offered tools that read. */
  readonly changes?: boolean | undefined;
  /** Default 8. */
  readonly maxToolCalls?: number | undefined;
  /** Answers that may be unusable before the step fails with `BadAnswer`. Default 3. */
  readonly maxBadAnswers?: number | undefined;
  /** Limits of one attempt at the step. */
  readonly budget?: AgentBudget | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Members of every entry that it logs, for nodes with a log schema. */
  readonly entryFields?:
    | Readonly<Record<string, Json>>
    | ((input: I) => Readonly<Record<string, Json>>)
    | undefined;
}
