import { InputError } from '@alas-jssp/core/errors';
import { openModuleTools } from './module-tools.js';
import type { ToolCatalogue } from './tool.js';
import type { Toolset } from './toolset.js';

export interface ToolsetOptions {
  /** The directory of the catalogue's file: its paths are relative to it. */
  readonly directory: string;
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
  { directory, signal }: ToolsetOptions,
): Promise<Toolset> {
  signal?.throwIfAborted();
  if (implementation === undefined) {
    throw new InputError(
      'no_implementation',
      'the catalogue names no implementation of its tools',
      'name a module, an MCP server or an OpenAPI document as its implementation',
      { path: '$.implementation' },
    );
  }
  if ('module' in implementation) {
    return openModuleTools(tools, implementation.module, directory);
  }
  throw new InputError(
    'unknown_source',
    'tools of this kind cannot be called yet',
    'give a module',
  );
}
