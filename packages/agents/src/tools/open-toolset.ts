import { resolve } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { type Environment, readToken } from './bearer-token.js';
import { openMcpTools } from './mcp/mcp-tools.js';
import { openModuleTools } from './module-tools.js';
import { openApiTools } from './openapi/openapi-tools.js';
import type { ToolCatalogue } from './tool.js';
import type { Toolset } from './toolset.js';

export interface ToolsetOptions {
  /** The directory of the catalogue's file: its paths are relative to it. */
  readonly directory: string;
  /** The environment variables with tokens that the catalogue names; others are not read. */
  readonly environment?: Environment | undefined;
  /** Ends opening the toolset. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the tools of a catalogue, so that calls reach its implementation.
 *
 * @throws InputError `no_implementation` if the catalogue names none, `bad_module` if its module is not one of tools
 */
export async function openToolset(
  { implementation, tools }: ToolCatalogue,
  { directory, signal, environment = {} }: ToolsetOptions,
): Promise<Toolset> {
  signal?.throwIfAborted();
  if (implementation === undefined) {
    throw new InputError(
      'no_implementation',
      'the catalogue names no implementation of its tools',
      'name a module, an MCP server or an OpenAPI document as its implementation; `workflow run --tools trial` needs none',
      { path: '$.implementation' },
    );
  }
  if ('module' in implementation) {
    return openModuleTools(tools, implementation.module, directory);
  }
  if ('mcp' in implementation) {
    const { mcp, token } = implementation;
    const start = resolve(directory, implementation.directory ?? '.');
    return openMcpTools(tools, { mcp, token, directory: start, environment }, signal);
  }
  const { openapi, url, token } = implementation;
  const service = { openapi, url, directory, token: readToken(token, environment) };
  return openApiTools(tools, service);
}
