import { readBytes } from '../../core/bytes.js';
import { checkText } from '../../core/text.js';
import type { Instance } from '../instance.js';
import { parseDaColTeppan } from './dacol-teppan.js';
import { detectFormat, type InstanceFormat } from './detect.js';
import { parseInstanceJson } from './instance-json.js';
import { bytesOf, type FileSource, instanceName } from './source.js';
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
 * Reads an instance from a text, or from its bytes in UTF-8 (not gzip), as {@link readInstance}
 * does from a file.
 *
 * @param source where the text is from. Without a name, the instance is called after the file;
 *   without a file, JSON may say its name itself, and else it is `instance`
 * @throws InputError as {@link readInstance} does, and `bad_text` for anything else than a text
 */
export function parseInstance(
  text: string | Uint8Array,
  { file, name }: Partial<FileSource> = {},
): Instance {
  const bytes = bytesOf(text, file);
  checkText(bytes, file);
  const named = name ?? (file === undefined ? 'instance' : instanceName(file));
  return PARSERS[detectFormat(bytes)](bytes, { file, name: named });
}
