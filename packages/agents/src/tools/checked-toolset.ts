import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import { unlessAborted } from 'alas-jssp/llm';
import type { Tool } from './tool.js';
import { requireTool, requireToolInput, requireToolOutput } from './tool-checks.js';
import type { ToolCall, Toolset } from './toolset.js';

/** The implementation of a toolset: inputs arrive checked, outputs are checked afterwards. */
export interface ToolsetImplementation {
  readonly tools: readonly Tool[];
  perform(tool: Tool, input: Readonly<Record<string, Json>>, call: ToolCall): unknown;
  close?(): Promise<void>;
}

/** A toolset that checks names, inputs and outputs, ends at aborts, and gives every error a code. */
export function createCheckedToolset(implementation: ToolsetImplementation): Toolset {
  const { tools } = implementation;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let closed = false;
  return {
    tools,
    async call(name, input, call) {
      const tool = requireTool(byName, name);
      if (closed) throw new AlasError('ToolsetClosed', `the tools are closed: ${name}`, name);
      requireToolInput(tool, input);
      call.signal.throwIfAborted();
      const output = await perform(implementation, tool, input, call);
      const json = toJson(tool, output);
      requireToolOutput(tool, json);
      return json;
    },
    async close() {
      if (closed) return;
      closed = true;
      await implementation.close?.();
    },
  };
}

async function perform(
  implementation: ToolsetImplementation,
  tool: Tool,
  input: Readonly<Record<string, Json>>,
  call: ToolCall,
): Promise<unknown> {
  try {
    // An implementation that ignores its signal must not keep the caller waiting.
    const performing = Promise.resolve(implementation.perform(tool, input, call));
    return await unlessAborted(performing, call.signal);
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    throw toolError(tool, error);
  }
}

/** The error of a tool: its own code if it has one, else `ToolFailed`. */
function toolError({ name }: Tool, error: unknown): AlasError {
  if (error instanceof AlasError) return error;
  const { code, value } = Object(error) as { code?: unknown; value?: unknown };
  const named = error instanceof Error && typeof code === 'string' && code !== '';
  return new AlasError(
    named ? code : 'ToolFailed',
    `the tool ${name} failed: ${errorLine(error)}`,
    value,
  );
}

/** The output as a plain copy that later changes of the implementation do not reach. */
function toJson({ name }: Tool, output: unknown): Json {
  try {
    return JSON.parse(canonicalJson(output === undefined ? {} : output));
  } catch (error) {
    const problem = `the output of the tool ${name} is not JSON: ${errorLine(error)}`;
    throw new AlasError('BadToolOutput', problem, undefined);
  }
}
