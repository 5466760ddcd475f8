import { realpathSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { InputError } from '@alas-jssp/core/errors';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createCompute } from '../compute/compute.js';
import { fillLimits, type ServiceLimits } from '../http/limits.js';
import { localCaller } from '../http/tokens.js';
import { agentServers } from './server.js';
import type { ToolRequest, ToolWork } from './tool.js';

/** The streams and the rights of a server for one client. */
export interface StdioAgentOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** A folder whose instances and plans tools may read. */
  readonly folder?: string | undefined;
  readonly limits: Partial<ServiceLimits>;
  /** Receives internal errors. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Serves MCP over stdin and stdout until the client closes stdin, or the signal is aborted.
 *
 * @throws InputError `no_folder`
 */
export async function serveAgent(options: StdioAgentOptions, signal: AbortSignal): Promise<void> {
  const { stdin, stdout, limits, onBug } = options;
  const folder = options.folder === undefined ? undefined : folderAt(options.folder);
  const threads = createCompute(fillLimits(limits), { onFault: onBug });
  const compute = (request: ToolRequest, work: ToolWork) => threads.begin('tool', request, work);
  const serverFor = agentServers({ folder, compute, onBug });
  const transport = new StdioServerTransport(stdin, stdout);
  const server = serveStdio(() => serverFor(localCaller), { transport });
  await finished(stdin, { signal, writable: false }).catch(() => {});
  await server.close();
  await threads.stop();
}

function folderAt(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new InputError('no_folder', `there is no folder ${path}`, 'name an existing folder');
  }
}
