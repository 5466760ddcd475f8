import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMemoryBlobs } from '../../src/guard/blob-store.js';
import type { GuardedCall } from '../../src/guard/compensation.js';

const engines = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const place = join(engines, 'mcp-servers-2026.10');

/** Whether `engines/mcp-servers/install.sh` has been run. */
export const hasServers = existsSync(join(place, 'installed.txt'));

const script = (name: string) =>
  join(place, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');

/** The commands of the real servers. */
export const serverCommands = {
  filesystem: (...roots: string[]) => [process.execPath, script('filesystem'), ...roots],
  memory: () => [process.execPath, script('memory')],
  everything: () => [process.execPath, script('everything')],
  git: (repository: string) => [join(place, 'git/bin/mcp-server-git'), '--repository', repository],
  sqlite: (file: string) => [join(place, 'sqlite/bin/mcp-server-sqlite'), '--db-path', file],
};

type Input = Record<string, Json>;

/** A real server in a process of its own. */
export interface RealServer {
  readonly identity: string;
  readonly process: number;
  /** The output of a tool; undefined if the server says that the call failed. */
  call(tool: string, input: Input): Promise<Json | undefined>;
  /** A call as compensations see it. */
  guarded(tool: string, input: Input): GuardedCall;
  close(): Promise<void>;
}

let keys = 0;

/** Starts a real server and connects to it. */
export async function startServer(
  command: readonly string[],
  environment: Record<string, string> = {},
): Promise<RealServer> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'legacy' } },
  );
  const [program, ...args] = command;
  const env = { PATH: process.env.PATH ?? '', HOME: homedir(), ...environment };
  const transport = new StdioClientTransport({ command: program, args, stderr: 'ignore', env });
  await client.connect(transport);
  const blobs = createMemoryBlobs();
  const call = async (tool: string, input: Input) => {
    const result = await client.callTool({ name: tool, arguments: input });
    if (result.isError) return undefined;
    if (isObject(result.structuredContent)) return result.structuredContent as Json;
    return { text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join('') };
  };
  const perform = async (tool: string, input: Input) => {
    const output = await call(tool, input);
    if (output === undefined) throw new Error(`${tool} failed`);
    return output;
  };
  return {
    identity: client.getServerVersion()?.name ?? '',
    process: transport.pid ?? 0,
    call,
    guarded: (tool, input) => ({
      server: 'real',
      tool,
      input,
      key: `key-${++keys}`,
      signal: new AbortController().signal,
      blobs,
      read: perform,
      change: perform,
    }),
    close: () => client.close(),
  };
}
