import { resolve } from 'node:path';
import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { packageVersion } from '@alas-jssp/core/package-version';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { unlessAborted } from 'alas-jssp/llm';
import { type Environment, readToken } from '../bearer-token.js';
import { isAddress } from '../move-catalogue.js';
import { splitServerCommand } from './server-command.js';

/** An MCP server, and the circumstances of a connection to it. */
export interface McpServer {
  /** Its command, or its address with `http`. */
  readonly mcp: string;
  /** The directory in which the command starts. */
  readonly directory: string;
  /** The environment variable with the bearer token of an address. */
  readonly token?: string | undefined;
  readonly environment: Environment;
}

/** A connection to an MCP server. */
export interface McpConnection {
  readonly client: Client;
  /** Whether the server has ended, or the connection was closed. */
  isClosed(): boolean;
  /** The error of a failed request, in one line with the last words of the server. */
  errorOf(error: unknown): AlasError;
  close(): Promise<void>;
}

/** The length of the end of the server's errors that is kept. */
const KEPT = 2000;

/**
 * Connects to an MCP server.
 *
 * @throws InputError `no_server` if it does not start or answer
 */
export async function connectMcp(server: McpServer, signal?: AbortSignal): Promise<McpConnection> {
  try {
    return await openConnection(server, 'legacy', signal);
  } catch (error) {
    signal?.throwIfAborted();
    // A server of the newest revision only refuses the handshake, and says so.
    if (!isProtocolError(error)) throw error;
    return openConnection(server, 'auto', signal);
  }
}

async function openConnection(
  server: McpServer,
  mode: 'legacy' | 'auto',
  signal?: AbortSignal,
): Promise<McpConnection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'alas-jssp', version: packageVersion() },
    { versionNegotiation: { mode } },
  );
  const { transport, lastWords } = await createTransport(server);
  let closed = false;
  const describe = (error: unknown, ended: boolean) => {
    const words = lastWords();
    const problem = ended ? 'has ended' : `failed: ${reasonOf(error)}`;
    return `the MCP server ${server.mcp} ${problem}${words === '' ? '' : `: ${words}`}`;
  };
  const errorOf = (error: unknown) =>
    new AlasError('Unavailable', describe(error, closed || isClosing(error)), server.mcp);
  client.onclose = () => {
    closed = true;
  };
  const close = async () => {
    closed = true;
    await client.close();
  };
  try {
    // The handshake of the library cannot be cancelled.
    await unlessAborted(client.connect(transport), signal);
  } catch (error) {
    await close().catch(() => {});
    signal?.throwIfAborted();
    if (isProtocolError(error) && mode === 'legacy') throw error;
    const problem = describe(error, isClosing(error));
    throw new InputError('no_server', problem, 'check that it runs and speaks MCP', {}, server.mcp);
  }
  return { client, isClosed: () => closed, errorOf, close };
}

/** The transport to a server, and the last line that it wrote to its error stream. */
async function createTransport(
  server: McpServer,
): Promise<{ readonly transport: Transport; lastWords(): string }> {
  const { mcp, directory, token, environment } = server;
  if (isAddress(mcp)) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const bearer = readToken(token, environment);
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const transport = new StreamableHTTPClientTransport(toUrl(mcp), { requestInit: { headers } });
    return { transport, lastWords: () => '' };
  }
  const [command, ...args] = splitServerCommand(mcp);
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: resolve(directory),
    stderr: 'pipe',
  });
  let end = '';
  // Read even if no one asks for it: a full pipe would stop the server.
  transport.stderr?.on('data', (chunk) => {
    end = `${end}${chunk}`.slice(-KEPT);
  });
  return { transport, lastWords: () => end.trim().split('\n').at(-1)?.trim() ?? '' };
}

function toUrl(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw new InputError('bad_address', `${address} is no address`, 'write mcp:https://HOST/PATH');
}

/** Whether the other side answered with an error: its code is a number. */
export function isProtocolError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && typeof Object(error).code === 'number';
}

/** Whether a request failed because the connection ended. */
function isClosing(error: unknown): boolean {
  return Object(error).code === 'CONNECTION_CLOSED';
}

/** The reason of an error, with that of the request that failed below it. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  return cause === undefined ? errorLine(error) : `${errorLine(error)}: ${errorLine(cause)}`;
}
