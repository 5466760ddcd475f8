import { readBytes } from '../../core/bytes.js';
import { checkText } from '../../core/text.js';
import type { Instance } from '../instance.js';
import { parseDaColTeppan } from './dacol-teppan.js';
import { detectFormat, type InstanceFormat } from './detect.js';
import { parseInstanceJson } from './instance-json.js';
import { type FileSource, instanceName } from './source.js';
import { parseStandard } from './standard.js';
import { parseTaillard } from './taillard.js';

const PARSERS: Record<InstanceFormat, (bytes: Uint8Array, source: FileSource) => Instance> = {
  json: parseInstanceJson,
  taillard: parseTaillard,
  'dacol-teppan': parseDaColTeppan,
  standard: parseStandard,
};

/**
 * Reads an instance from a file in any of the formats of `docs/formats.md`, plain or gzip. It is
 * called after the file, whatever the file itself (JSON) says.
 *
 * @throws InputError naming file, line (or JSON path) and cure, whatever is wrong with the file
 */
export function readInstance(path: string): Instance {
  return parseInstance(readBytes(path), { file: path, name: instanceName(path) });
}

/**
 * Reads an instance from bytes in memory (not gzip), as {@link readInstance} does from a file.
 * JSON that comes from no file may say its name itself.
 */
export function parseInstance(bytes: Uint8Array, source: FileSource): Instance {
  checkText(bytes, source.file);
  return PARSERS[detectFormat(bytes)](bytes, source);
}
