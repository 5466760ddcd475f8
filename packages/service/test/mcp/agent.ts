import { PassThrough } from 'node:stream';
import {
  type CallToolResult,
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { createApp } from '../../src/http/app.js';
import type { ServiceLimits } from '../../src/http/limits.js';
import { serveAgent } from '../../src/mcp/stdio.js';
import type { ShopDirectory } from '../../src/shops/shop-directory.js';

/** An agent that is connected, and how it leaves. */
export interface ConnectedAgent {
  readonly client: Client;
  /** Closes the connection and ends the server. */
  leave(): Promise<void>;
}

/** How an agent connects. */
export interface Circumstances {
  readonly folder?: string;
  readonly limits?: Partial<ServiceLimits>;
  readonly directory?: ShopDirectory;
  readonly tokens?: Parameters<typeof createApp>[0]['tokens'];
  readonly token?: string;
  /** The newest revision of the protocol, which has no sessions, or the one before. */
  readonly era?: 'auto' | 'legacy';
}

/** Connects an agent by streams, as `alas-jssp mcp` has them. */
export async function agentOverStreams(given: Circumstances = {}): Promise<ConnectedAgent> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const ended = new AbortController();
  const bugs: unknown[] = [];
  const serving = serveAgent(
    {
      stdin: toServer,
      stdout: toClient,
      folder: given.folder,
      limits: given.limits ?? {},
      onBug: (error) => bugs.push(error),
    },
    ended.signal,
  );
  // A missing folder is reported before a client connects.
  await Promise.race([serving, Promise.resolve()]);
  const client = newClient(given);
  await client.connect(lineTransport(toClient, toServer));
  return {
    client,
    leave: async () => {
      await client.close();
      toServer.end();
      await serving;
      if (bugs.length > 0) throw bugs[0];
    },
  };
}

/** Connects an agent by HTTP, as `alas-jssp serve` has it. */
export async function agentOverHttp(given: Circumstances = {}): Promise<ConnectedAgent> {
  const { tokens, limits, directory = noShops, token } = given;
  const faults: string[] = [];
  const onFault = (line: string) => faults.push(line);
  const app = await createApp({ directory, tokens, limits, onFault });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = newClient(given);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
  });
  const leave = async () => {
    await client.close();
    await app.close();
    if (faults.length > 0) throw new Error(faults[0]);
  };
  await client.connect(transport).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  return { client, leave };
}

function newClient({ era = 'legacy' }: Circumstances): Client {
  const versionNegotiation = { mode: era };
  return new Client({ name: 'test', version: '1' }, { versionNegotiation });
}

/** A service without a single shop. */
const noShops = { as: () => noShops, list: () => [] } as unknown as ShopDirectory;

/** The client's end of two streams: JSON, a message a line. */
function lineTransport(from: PassThrough, to: PassThrough): Transport {
  let rest = '';
  const transport: Transport = {
    start: async () => {
      from.on('data', (chunk) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
    },
    send: async (message) => {
      to.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => transport.onclose?.(),
  };
  return transport;
}

/** Calls a tool, and gives its answer; an error of the tool is thrown. */
export async function callTool(
  { client }: ConnectedAgent,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown> & { readonly result: CallToolResult }> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(textOf(result));
  return { ...(result.structuredContent as Record<string, unknown>), result };
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
