import { InputError } from '@alas-jssp/core/errors';
import type { Client, Tool as ServerTool } from '@modelcontextprotocol/client';
import { TEXT_OUTPUT } from '../text-output.js';
import { TOOLS_SCHEMA } from '../tool.js';
import { connectMcp, type McpConnection, type McpServer } from './connect.js';

/**
 * Lists the tools of an MCP server, by names that catalogues accept: other signs than letters, digits, `-`, `_` and `.`
 * become `_`.
 *
 * @throws InputError `bad_server` if it has none, or two whose names become equal
 */
export async function listServerTools(
  { mcp }: McpServer,
  { client, errorOf }: McpConnection,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ServerTool>> {
  const tools = await listAll(client, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw errorOf(error);
  });
  const refuse = (problem: string, hint: string) =>
    new InputError('bad_server', `the MCP server ${mcp} ${problem}`, hint, {}, mcp);
  if (tools.length === 0) throw refuse('has no tools', 'name another one');
  const byName = new Map<string, ServerTool>();
  for (const tool of tools) {
    const name = catalogueName(tool.name);
    const other = byName.get(name);
    if (other !== undefined) {
      throw refuse(`has the tools ${other.name} and ${tool.name}`, 'give them different names');
    }
    byName.set(name, tool);
  }
  return byName;
}

async function listAll(client: Client, signal?: AbortSignal): Promise<readonly ServerTool[]> {
  const { tools } = await client.listTools({}, signal === undefined ? {} : { signal });
  return tools;
}

function catalogueName(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  return /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
}

/** The catalogue of an MCP server, as an unchecked document: what its tools declare in `tools/list`. */
export async function readMcpCatalogue(server: McpServer, signal?: AbortSignal): Promise<object> {
  const connection = await connectMcp(server, signal);
  try {
    const tools = await listServerTools(server, connection, signal);
    const system = connection.client.getServerVersion()?.name;
    const { mcp, token } = server;
    return {
      schema: TOOLS_SCHEMA,
      tools: Array.from(tools, ([name, tool]) => describeTool(name, tool, system)),
      implementation: token === undefined ? { mcp } : { mcp, token },
    };
  } finally {
    await connection.close();
  }
}

function describeTool(name: string, tool: ServerTool, system: string | undefined): object {
  const { title, description, inputSchema, outputSchema, annotations = {} } = tool;
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  const access = readOnlyHint ? 'read' : destructiveHint ? 'irreversible' : 'change';
  return {
    name,
    description: description ?? title ?? annotations.title ?? tool.name,
    ...(system === undefined || system === '' ? undefined : { system }),
    input: withoutDialect(inputSchema),
    output: outputSchema === undefined ? TEXT_OUTPUT : withoutDialect(outputSchema),
    access,
    idempotent: idempotentHint === true || access === 'read',
  };
}

function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>): object {
  return schema;
}
