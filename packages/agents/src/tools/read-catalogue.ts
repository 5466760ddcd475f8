import { isAbsolute, join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import { findCatalogueFaults } from './catalogue-faults.js';
import { catalogueSchema, type ToolCatalogue } from './tool.js';

/**
 * Reads a catalogue of tools from its source: a JSON file.
 *
 * @param directory the directory that relative paths start from; default: the working directory
 * @throws InputError with the file and the JSON path of the first mistake
 */
export async function readCatalogue(source: string, directory = '.'): Promise<ToolCatalogue> {
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
