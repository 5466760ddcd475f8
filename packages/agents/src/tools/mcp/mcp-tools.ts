import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Json } from '@alas-jssp/workflow';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { createCheckedToolset } from '../checked-toolset.js';
import type { Tool } from '../tool.js';
import { violationsOf } from '../tool-checks.js';
import type { Toolset } from '../toolset.js';
import { connectMcp, isProtocolError, type McpConnection, type McpServer } from './connect.js';
import { listServerTools } from './mcp-catalogue.js';

/** The key of the idempotency key in the `_meta` of a call. */
const IDEMPOTENCY_META = 'alas-jssp/idempotency-key';

/** The longest timer. Calls end by their signals. */
const NEVER = 2 ** 31 - 1;

/**
 * Tools of an MCP server. A server that has ended is started or connected again by the next call.
 *
 * @throws InputError `no_server`, `bad_server` if it lacks a tool
 */
export async function openMcpTools(
  tools: readonly Tool[],
  server: McpServer,
  signal?: AbortSignal,
): Promise<Toolset> {
  const first = await connectMcp(server, signal);
  let names: ReadonlyMap<string, string>;
  try {
    names = await serverNames(tools, server, first, signal);
  } catch (error) {
    await first.close();
    throw error;
  }
  let current = Promise.resolve(first);
  let isClosing = false;
  const connected = async (): Promise<McpConnection> => {
    const seen = current;
    const connection = await seen.catch(() => undefined);
    if (connection !== undefined && !connection.isClosed()) return connection;
    if (isClosing) throw new AlasError('ToolsetClosed', 'the tools are closed', server.mcp);
    // Of calls that find the server ended, the first one connects for all.
    if (current !== seen) return connected();
    current = connectMcp(server).catch((error: unknown) => {
      throw new AlasError('Unavailable', errorLine(error), server.mcp);
    });
    return current;
  };
  return createCheckedToolset({
    tools,
    async perform(tool, input, call) {
      const connection = await connected();
      const request = {
        name: names.get(tool.name) as string,
        arguments: input,
        _meta: { [IDEMPOTENCY_META]: call.idempotencyKey },
      };
      const options = { signal: call.signal, timeout: NEVER };
      const result = await connection.client.callTool(request, options).catch((error: unknown) => {
        throw isProtocolError(error) ? refused(tool, error) : connection.errorOf(error);
      });
      return outputOf(tool, result);
    },
    async close() {
      isClosing = true;
      const connection = await current.catch(() => undefined);
      await connection?.close();
    },
  });
}

/** The names of tools on the server, by their names in the catalogue. */
async function serverNames(
  tools: readonly Tool[],
  server: McpServer,
  connection: McpConnection,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = await listServerTools(server, connection, signal);
  return new Map(
    tools.map(({ name }) => {
      const tool = known.get(name);
      if (tool !== undefined) return [name, tool.name];
      const problem = `the MCP server ${server.mcp} has no tool ${name}`;
      throw new InputError('bad_server', problem, suggestNames(name, [...known.keys()]), {}, name);
    }),
  );
}

function refused({ name }: Tool, error: Error): AlasError {
  return new AlasError('ToolFailed', `the tool ${name} failed: ${errorLine(error)}`, undefined);
}

/**
 * The output of a call: the structured content, the object that the text is if the output schema allows it, or
 * `{ text }`.
 *
 * @throws AlasError `ToolFailed` with the text of an answer that is an error
 */
function outputOf(tool: Tool, { content, structuredContent, isError }: CallToolResult): Json {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  if (isError) {
    const reason = text.trim() === '' ? 'no reason is given' : errorLine(text);
    throw new AlasError('ToolFailed', `the tool ${tool.name} failed: ${reason}`, structuredContent);
  }
  if (structuredContent !== undefined) return structuredContent as Json;
  const parsed = parseObject(text);
  return parsed !== undefined && violationsOf(tool.output, parsed).length === 0 ? parsed : { text };
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
