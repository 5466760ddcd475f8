import { InputError } from '@alas-jssp/core/errors';
import { describeFound, isObject } from '@alas-jssp/core/json-path';
import type { Guard, GuardAnswer } from './guard.js';
import { type GuardOptions, openGuard } from './open-guard.js';
import type { ServerPolicy, ToolRulesDraft } from './policy.js';
import { GUARD_SCHEMA, type GuardPolicyDraft } from './policy.js';
import { type FunctionTool, functionServer } from './servers/function-server.js';

/** The rules for tools of this process, and the settings of a policy. */
export type ToolsPolicy = Omit<GuardPolicyDraft, 'schema' | 'servers'> & {
  readonly tools: Readonly<Record<string, ToolRulesDraft>>;
  readonly unknown?: ServerPolicy['unknown'];
};

/** A call of a tool in the form of OpenAI's chat completions, OpenAI's responses, or Anthropic's messages. */
export type ModelToolCall =
  | {
      readonly type: 'function';
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }
  | {
      readonly type: 'function_call';
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

/** The answer to a call in the form in which the model's SDK takes it. */
export type ModelToolResult<Call extends ModelToolCall = ModelToolCall> = Call extends {
  type: 'function';
}
  ? { role: 'tool'; tool_call_id: string; content: string }
  : Call extends { type: 'function_call' }
    ? { type: 'function_call_output'; call_id: string; output: string }
    : { type: 'tool_result'; tool_use_id: string; content: string; is_error: boolean };

/** Guarded tools for the SDKs of models. */
export interface GuardedTools {
  readonly guard: Guard;
  /** For `tools` of `chat.completions.create`. */
  openai(): {
    type: 'function';
    function: { name: string; description: string; parameters: object };
  }[];
  /** For `tools` of `responses.create`. */
  openaiResponses(): {
    type: 'function';
    name: string;
    description: string;
    parameters: object;
    strict: false;
  }[];
  /** For `tools` of `messages.create`. */
  anthropic(): { name: string; description: string; input_schema: object }[];
  /**
   * Executes a call of a model. One with the same id, tool and input as an earlier one of this guard
   * is answered from the log: use one guard for one conversation.
   */
  answer<Call extends ModelToolCall>(
    call: Call,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ModelToolResult<Call>>;
}

/** The name of the server of tools of this process. */
const OWN_SERVER = 'tools';

/**
 * Puts a guard around tools of this process, for the calls of a model.
 *
 * @throws InputError `bad_policy`, and as `openGuard` does
 */
export async function guardTools(
  tools: Readonly<Record<string, FunctionTool>>,
  policy: ToolsPolicy,
  options: Omit<GuardOptions, 'policy' | 'servers'>,
): Promise<GuardedTools> {
  const { tools: rules, unknown = 'refuse', ...settings } = policy;
  const guard = await openGuard({
    ...options,
    servers: [functionServer(OWN_SERVER, tools)],
    policy: {
      ...settings,
      schema: GUARD_SCHEMA,
      servers: { [OWN_SERVER]: { tools: rules, unknown } },
    },
  });
  const offered = guard.tools.map(({ name, description = '', inputSchema }) => ({
    name,
    description,
    schema: inputSchema,
  }));
  return {
    guard,
    openai: () =>
      offered.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: schema },
      })),
    openaiResponses: () =>
      offered.map(({ name, description, schema }) => ({
        type: 'function',
        name,
        description,
        parameters: schema,
        strict: false,
      })),
    anthropic: () =>
      offered.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    async answer(call, { signal } = {}) {
      const { id, name, input } = readCall(call);
      const parsed = parseInput(input);
      const answer = isObject(parsed)
        ? await guard.call(name, parsed, { requestId: id, signal })
        : refusedInput(name);
      return toResult(call, answer) as never;
    },
  };
}

/** The id, the tool and the input of a call, whatever its form. */
function readCall(call: ModelToolCall) {
  switch (call.type) {
    case 'function':
      return { id: call.id, name: call.function.name, input: call.function.arguments };
    case 'function_call':
      return { id: call.call_id, name: call.name, input: call.arguments };
    case 'tool_use':
      return { id: call.id, name: call.name, input: call.input };
  }
  const problem = `the call of a tool is ${describeFound(call)}`;
  throw new InputError('bad_call', problem, 'give one of type function, function_call or tool_use');
}

/** Models write arguments as JSON, which may be cut off. */
function parseInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return input.trim() === '' ? {} : JSON.parse(input);
  } catch {
    return undefined;
  }
}

function refusedInput(name: string): GuardAnswer {
  const message = `refused: the arguments of ${name} are no JSON object; nothing has changed`;
  return { status: 'refused', message, call: null, result: null };
}

function toResult(call: ModelToolCall, answer: GuardAnswer): object {
  const text = textOf(answer);
  switch (call.type) {
    case 'function':
      return { role: 'tool', tool_call_id: call.id, content: text };
    case 'function_call':
      return { type: 'function_call_output', call_id: call.call_id, output: text };
    case 'tool_use': {
      const is_error = answer.status !== 'done' || answer.result?.isError === true;
      return { type: 'tool_result', tool_use_id: call.id, content: text, is_error };
    }
  }
}

/** An answer as the text that a model reads. */
function textOf({ status, message, call, result, approval }: GuardAnswer): string {
  const content = result?.content.map((block) => (block.type === 'text' ? block.text : block));
  const value = result?.structuredContent ?? (content?.length === 1 ? content[0] : content);
  return JSON.stringify({
    status,
    message,
    call,
    ...(approval && { approval }),
    result: value ?? null,
  });
}
