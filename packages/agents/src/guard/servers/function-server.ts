import { errorLine } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import type { GuardServer, ToolAnswer } from './server.js';

/** A tool of this process. */
export interface FunctionTool {
  readonly description?: string | undefined;
  /** The JSON Schema of its input. Default: any object. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Does the work; the returned value must be JSON. An error is an answer that is an error. */
  run(
    input: Readonly<Record<string, Json>>,
    call: { readonly key: string; readonly signal: AbortSignal | undefined },
  ): unknown;
}

/** A server whose tools are functions of this process. */
export function functionServer(
  name: string,
  tools: Readonly<Record<string, FunctionTool>>,
): GuardServer {
  return {
    spec: { name },
    identity: name,
    tools: Object.entries(tools).map(([tool, { description, input }]) => ({
      name: tool,
      description,
      inputSchema: input ?? { type: 'object' },
    })),
    async call(tool, input, { key, signal }) {
      try {
        return answerOf(await tools[tool].run(input, { key, signal }));
      } catch (error) {
        signal?.throwIfAborted();
        return { content: [{ type: 'text', text: errorLine(error) }], isError: true };
      }
    },
    close: async () => {},
  };
}

function answerOf(value: unknown): ToolAnswer {
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  const json = JSON.stringify(value) ?? 'null';
  return { content: [{ type: 'text', text: json }], structuredContent: JSON.parse(json) };
}
