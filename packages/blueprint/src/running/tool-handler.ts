import type { Tool, ToolCall } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import type { Handler, Json, StepContext } from '@alas-jssp/workflow';
import { isRefusal, wasRefused } from './attempts.js';
import { fillMapping } from './mapping.js';
import type { NodeTool } from './node-tool.js';

/** The input of the tool for an input of the node. */
export function toolInput(
  { mapping, constants }: Pick<NodeTool, 'mapping' | 'constants'>,
  input: unknown,
): Readonly<Record<string, Json>> {
  const given = { ...constants, ...(input as Record<string, Json> | null) };
  return mapping === undefined ? given : fillMapping(mapping, { input: given });
}

/** The handler of a node that calls a tool, with the idempotency key of the step. */
export function createToolHandler(nodeTool: NodeTool): Handler {
  const { tool, toolset, isFinal } = nodeTool;
  return {
    run: async (input: unknown, context) => {
      if (context.attempt > 1) requireRepeatable(tool, context);
      try {
        return await toolset.call(tool.name, toolInput(nodeTool, input), callOf(tool, context));
      } catch (error) {
        throw isFinal ? withDoubt(tool, error) : error;
      }
    },
    ...(referenceKey(tool) !== undefined && {
      externalRef: (output: unknown) => referenceIn(tool, output),
    }),
  };
}

/** An error of a call that no undo follows: unless it is a refusal, the effect may exist, and is in doubt. */
function withDoubt(tool: Tool, error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code !== undefined && isRefusal(tool, code)) return error;
  return Object.assign(error as Error, { unanswered: true });
}

/** The circumstances of a call of a tool by a step. */
export function callOf(
  { access }: Tool,
  { runId, nodeId, idempotencyKey, signal }: StepContext,
): ToolCall {
  // A call that changes something is not given up: its late answer says what has to be undone.
  const endless = access === 'read' ? signal : new AbortController().signal;
  return { runId, nodeId, idempotencyKey, signal: endless };
}

/**
 * Rejects another attempt with a tool that acts at every call, unless all attempts before were refused.
 *
 * @throws AlasError `NotRepeatable`
 */
function requireRepeatable(tool: Tool, context: StepContext): void {
  const { name, access, idempotent } = tool;
  if (access === 'read' || idempotent || wasRefused(context, tool, context.attempt - 1)) return;
  const problem = `${name} acts at every call, and an attempt before may have acted`;
  throw new AlasError('NotRepeatable', `${problem}: it is not called again`, context.nodeId);
}

/** The key of the output that holds the id of the record that the tool creates. */
function referenceKey({ records }: Tool): string | undefined {
  const created = records.find(({ does, id }) => does === 'create' && id.startsWith('output.'));
  return created?.id.slice('output.'.length);
}

function referenceIn(tool: Tool, output: unknown): string {
  const [value] = Object.values(
    fillMapping({ id: `output.${referenceKey(tool)}` }, { output: output as Json }),
  );
  return value === undefined ? '' : String(value);
}
