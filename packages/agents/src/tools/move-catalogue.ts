import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ToolCatalogue, ToolsImplementation } from './tool.js';

/** Sources of catalogues that are not files. */
const NOT_A_FILE = /^(?:mcp|openapi):/;

/** The directory that the paths of a catalogue are relative to, after `readCatalogue(source, directory)`. */
export function catalogueDirectory(source: string, directory = '.'): string {
  if (NOT_A_FILE.test(source)) return directory;
  return dirname(isAbsolute(source) ? source : join(directory, source));
}

/**
 * A catalogue for a file in another directory: relative paths lead to the same files from there.
 *
 * @param from the directory that its paths are relative to
 * @param to the directory of the new file
 */
export function moveCatalogue(catalogue: ToolCatalogue, from: string, to: string): ToolCatalogue {
  const { implementation } = catalogue;
  if (implementation === undefined || resolve(from) === resolve(to)) return catalogue;
  return { ...catalogue, implementation: moveImplementation(implementation, from, to) };
}

function moveImplementation(
  implementation: ToolsImplementation,
  from: string,
  to: string,
): ToolsImplementation {
  const move = (path: string) => (isAbsolute(path) ? path : relativePath(to, resolve(from, path)));
  if ('module' in implementation) return { ...implementation, module: move(implementation.module) };
  if ('openapi' in implementation) {
    return { ...implementation, openapi: move(implementation.openapi) };
  }
  if (isAddress(implementation.mcp)) return implementation;
  return { ...implementation, directory: move(implementation.directory ?? '.') };
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to).replaceAll(sep, '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Whether an MCP server is named by its address, not by a command. */
export function isAddress(mcp: string): boolean {
  return /^https?:\/\//.test(mcp);
}
