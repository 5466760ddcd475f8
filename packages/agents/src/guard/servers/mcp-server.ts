import { resolve } from 'node:path';
import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { packageVersion } from '@alas-jssp/core/package-version';
import type { Json } from '@alas-jssp/workflow';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { unlessAborted } from 'alas-jssp/llm';
import { type Environment, readToken } from '../../tools/bearer-token.js';
import { isProtocolError } from '../../tools/mcp/connect.js';
import { createProcessTransport, type ProcessTransport } from './process-transport.js';
import {
  type GuardServer,
  type ListedTool,
  LostAnswerError,
  type ServerProcess,
  type ServerSpec,
  type ToolAnswer,
} from './server.js';

/** The circumstances of a connection to a server. */
export interface ServerOptions {
  readonly environment: Environment;
  /** Called when a process of the server has started, before any call. */
  readonly onProcess?: ((process: ServerProcess) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The key of the idempotency key in the `_meta` of a call. */
export const IDEMPOTENCY_META = 'alas-jssp/idempotency-key';

/** The longest timer: calls end by their answers. */
const NEVER = 2 ** 31 - 1;

/** The largest number of pages of tools. */
const MOST_PAGES = 100;

/** A connection to a server. */
interface Link {
  readonly client: Client;
  readonly transport: Transport & Partial<Pick<ProcessTransport, 'process' | 'lastWords' | 'end'>>;
  isClosed(): boolean;
}

/**
 * Connects to an MCP server and lists its tools. A server that has ended is started again by the
 * next call.
 *
 * @throws InputError `no_server` if it does not start or answer, `bad_server` if two tools have one name
 */
export async function openMcpServer(
  spec: ServerSpec,
  options: ServerOptions,
): Promise<GuardServer> {
  let link: Promise<Link> = connect(spec, options);
  const first = await link;
  const tools = await listTools(spec, first).catch(async (error: unknown) => {
    await closeLink(first);
    throw error;
  });
  let isClosing = false;
  const connected = async (): Promise<Link> => {
    const seen = link;
    const known = await seen.catch(() => undefined);
    if (known !== undefined && !known.isClosed()) return known;
    if (isClosing) throw new AlasError('NotSent', `the server ${spec.name} is closed`);
    // Of calls that find the server ended, the first one connects for all.
    if (link === seen) {
      link = connect(spec, options);
      link.catch(() => {});
    }
    return link === seen ? seen : connected();
  };
  return {
    spec,
    identity: first.client.getServerVersion()?.name ?? '',
    tools,
    async call(tool, input, { key, signal, sendBefore }) {
      const used = await connected().catch((error: unknown) => {
        throw new AlasError('NotSent', errorLine(error));
      });
      signal?.throwIfAborted();
      // The server took long to start: what became of the call may be settled by now.
      if (sendBefore?.aborted) throw new AlasError('NotSent', `${spec.name} started too late`);
      return callTool(spec, used, tool, input, key, signal);
    },
    ...(spec.command !== undefined && {
      async stopActing() {
        const known = await link.catch(() => undefined);
        await known?.transport.end?.();
        await known?.client.close().catch(() => {});
      },
    }),
    async close() {
      isClosing = true;
      const known = await link.catch(() => undefined);
      if (known !== undefined) await closeLink(known);
    },
  };
}

/**
 * Opens servers beside each other, because each takes a while to start. If one does not, those that did are closed.
 *
 * @throws as {@link openMcpServer}, for the first of the servers that fail
 */
export async function openMcpServers(
  specs: readonly ServerSpec[],
  optionsOf: (spec: ServerSpec) => ServerOptions,
): Promise<GuardServer[]> {
  const ends = await Promise.allSettled(specs.map((spec) => openMcpServer(spec, optionsOf(spec))));
  const opened = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed === undefined) return opened;
  for (const server of opened) await server.close().catch(() => {});
  throw failed.reason;
}

async function closeLink({ client, transport }: Link): Promise<void> {
  await client.close().catch(() => {});
  await transport.end?.();
}

async function callTool(
  spec: ServerSpec,
  link: Link,
  tool: string,
  input: Readonly<Record<string, Json>>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<ToolAnswer> {
  const params = { name: tool, arguments: input, _meta: { [IDEMPOTENCY_META]: key } };
  try {
    // Not `callTool` of the library, which rejects answers that do not match the listed schema.
    const request = { method: 'tools/call', params } as const;
    const answer = await link.client.request(request, {
      timeout: NEVER,
      ...(signal && { signal }),
    });
    return answer as unknown as ToolAnswer;
  } catch (error) {
    if (isProtocolError(error)) {
      return { content: [{ type: 'text', text: errorLine(error) }], isError: true };
    }
    signal?.throwIfAborted();
    const isOver = link.isClosed();
    const isGone = isOver && spec.command !== undefined && (await isEnded(link));
    throw new LostAnswerError(describe(spec, link, error, isOver), isGone);
  }
}

/** Whether everything in which a call of a command may act has ended; what is left of it is ended. */
async function isEnded({ transport }: Link): Promise<boolean> {
  await transport.end?.();
  return transport.process !== undefined;
}

async function listTools(spec: ServerSpec, { client }: Link): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...(answer.tools as unknown as ListedTool[]));
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      const problem = `the server ${spec.name} lists two tools ${name}`;
      throw new InputError('bad_server', problem, 'it must name them differently', {}, name);
    }
    names.add(name);
  }
  return tools;
}

async function connect(spec: ServerSpec, options: ServerOptions): Promise<Link> {
  try {
    return await openLink(spec, options, 'legacy');
  } catch (error) {
    options.signal?.throwIfAborted();
    // A server of the newest revision only refuses the handshake, and says so.
    if (!isProtocolError(error)) throw error;
    return openLink(spec, options, 'auto');
  }
}

async function openLink(
  spec: ServerSpec,
  { environment, onProcess, signal }: ServerOptions,
  mode: 'legacy' | 'auto',
): Promise<Link> {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'alas-jssp-guard', version: packageVersion() },
    { versionNegotiation: { mode } },
  );
  const transport = await transportOf(spec, environment);
  let closed = false;
  client.onclose = () => {
    closed = true;
  };
  const link: Link = { client, transport, isClosed: () => closed };
  try {
    await unlessAborted(client.connect(transport), signal);
  } catch (error) {
    const problem = describe(spec, link, error, closed);
    await closeLink(link);
    signal?.throwIfAborted();
    if (isProtocolError(error) && mode === 'legacy') throw error;
    throw new InputError('no_server', problem, 'check that it runs and speaks MCP', {}, spec.name);
  }
  if (transport.process !== undefined) onProcess?.(transport.process);
  return link;
}

async function transportOf(
  { name, command, directory = '.', environment: passed = [], http, token }: ServerSpec,
  environment: Environment,
): Promise<Link['transport']> {
  if (command !== undefined) {
    const given = Object.fromEntries(
      passed.flatMap((key) => (environment[key] === undefined ? [] : [[key, environment[key]]])),
    );
    return createProcessTransport({
      command,
      directory: resolve(directory),
      environment: given,
    });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const bearer = readToken(token, environment);
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  if (http === undefined || !URL.canParse(http)) {
    const problem = `the address of the server ${name} is ${http ?? 'missing'}`;
    throw new InputError('bad_address', problem, 'give one such as http://HOST/PATH', {}, http);
  }
  return new StreamableHTTPClientTransport(new URL(http), { requestInit: { headers } });
}

function describe({ name }: ServerSpec, link: Link, error: unknown, ended: boolean): string {
  const words = link.transport.lastWords?.() ?? '';
  const { cause } = Object(error) as { cause?: unknown };
  const reason =
    cause === undefined ? errorLine(error) : `${errorLine(error)}: ${errorLine(cause)}`;
  const problem = ended ? 'has ended' : `failed: ${reason}`;
  return `the server ${name} ${problem}${words === '' ? '' : `: ${words}`}`;
}
