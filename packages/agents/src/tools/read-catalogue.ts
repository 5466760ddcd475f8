import { isAbsolute, join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import type { Environment } from './bearer-token.js';
import { findCatalogueFaults } from './catalogue-faults.js';
import { readMcpCatalogue } from './mcp/mcp-catalogue.js';
import { isAddress } from './move-catalogue.js';
import { readApiCatalogue } from './openapi/openapi-tools.js';
import { catalogueSchema, type ToolCatalogue } from './tool.js';

export interface CatalogueOptions {
  /** `ALAS_TOOLS_TOKEN` is the bearer token of MCP servers and HTTP services that are named by their address. */
  readonly environment?: Environment | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TOKEN = 'ALAS_TOOLS_TOKEN';

/**
 * Reads a catalogue of tools from its source: a JSON file, `mcp:COMMAND` or `mcp:https://…` for what an MCP server
 * lists, or `openapi:FILE@URL` for the operations of an HTTP service.
 *
 * @param directory the directory that relative paths start from; default: the working directory
 * @throws InputError with the file and the JSON path of the first mistake, or the server and its problem
 */
export async function readCatalogue(
  source: string,
  directory = '.',
  { environment = {}, signal }: CatalogueOptions = {},
): Promise<ToolCatalogue> {
  const token = environment[TOKEN] ? TOKEN : undefined;
  if (source.startsWith('mcp:')) {
    const mcp = source.slice('mcp:'.length).trim();
    const server = { mcp, directory, environment, token: isAddress(mcp) ? token : undefined };
    return toCatalogue(await readMcpCatalogue(server, signal), source);
  }
  if (source.startsWith('openapi:')) {
    return toCatalogue(readApiCatalogue(source, directory, token), source);
  }
  const file = isAbsolute(source) ? source : join(directory, source);
  return toCatalogue(parseJson(readBytes(file), file), file);
}

/**
 * Parses a value as a catalogue and fills in defaults.
 *
 * @throws InputError `bad_catalogue` with the JSON path of the first mistake
 */
export function toCatalogue(value: unknown, file?: string): ToolCatalogue {
  const checked = checkJson(catalogueSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_catalogue', checked.fault, file);
  const [fault] = findCatalogueFaults(checked.data);
  if (fault !== undefined) throw faultError('bad_catalogue', fault, file);
  return checked.data;
}
