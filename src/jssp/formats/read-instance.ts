import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJson } from '@alas-jssp/core/json-text';
import { bytesOf, firstByte, isBlank, lineEnd, NEWLINE, textStart } from '@alas-jssp/core/text';
import type { Instance } from '../instance.js';
import { parseDaColTeppan } from './dacol-teppan.js';
import { instanceFromJobShopLib, isJobShopLibFile } from './exchange/job-shop-lib.js';
import { instanceFromPyJobShop } from './exchange/pyjobshop.js';
import { isPyJobShopFile } from './exchange/pyjobshop-schema.js';
import { isFlexible, parseFlexible } from './flexible.js';
import { instanceFromJson } from './instance-json.js';
import { instanceFromRealm, isRealmFile } from './realm.js';
import { type FileSource, flexibleFileEnding, instanceName } from './source.js';
import { parseStandard } from './standard.js';
import { parseTaillard } from './taillard.js';

const PARSERS: Record<InstanceFormat, (bytes: Uint8Array, source: FileSource) => Instance> = {
  json: parseJsonInstance,
  taillard: parseTaillard,
  'dacol-teppan': parseDaColTeppan,
  standard: parseStandard,
};

/**
 * Reads an instance from a file in any of the formats of `docs/reference/formats.md`, plain or gzip. It is named after
 * the file, not after a name inside it (JSON).
 *
 * @throws InputError with file, line (or JSON path) and hint
 */
export function readInstance(path: string): Instance {
  return parseInstance(readBytes(path), { file: path, name: instanceName(path) });
}

/**
 * Parses an instance from a text, or from its bytes in UTF-8 (not gzip), as {@link readInstance} does from a file.
 *
 * @param source the origin of the text. Without a name, the instance is named after the file; without a file, by the
 *   name inside JSON, otherwise `instance`
 * @throws InputError as {@link readInstance} does, and `bad_text` if it is not a text
 */
export function parseInstance(
  text: string | Uint8Array,
  { file, name }: Partial<FileSource> = {},
): Instance {
  const bytes = bytesOf(text, file);
  const named = name ?? (file === undefined ? 'instance' : instanceName(file));
  const source = { file, name: named };
  // The numbers of a small flexible job shop may also be valid in the standard format: the file name decides.
  if (file !== undefined && flexibleFileEnding.test(file)) return parseFlexible(bytes, source);
  const format = detectFormat(bytes);
  try {
    return PARSERS[format](bytes, source);
  } catch (error) {
    if (format === 'standard' && isFlexible(bytes, source)) return parseFlexible(bytes, source);
    throw file !== undefined && isTable(bytes, file) ? aTable(file) : error;
  }
}

/** Whether a file is a table by its name, and begins with a heading instead of a number or a comment. */
const isTable = (bytes: Uint8Array, file: string) =>
  /\.(csv|tsv)$/i.test(file) && !/[\d#]/.test(String.fromCharCode(firstByte(bytes)));

const aTable = (file: string) =>
  new InputError(
    'table',
    'this is a table, not an instance',
    'alas-jssp import makes an instance of tables of orders (docs/how-to/shop-data.md)',
    { file },
  );

/** JSON is in our format, or in one of REALM-Bench, job_shop_lib or PyJobShop. */
function parseJsonInstance(bytes: Uint8Array, source: FileSource): Instance {
  const document = parseJson(bytes, source.file);
  if (isRealmFile(document)) return instanceFromRealm(document, source);
  if (isJobShopLibFile(document)) return instanceFromJobShopLib(document, source);
  if (isPyJobShopFile(document)) return instanceFromPyJobShop(document, source);
  return instanceFromJson(document, source);
}

/** The formats of instances, which are detected by content. */
export type InstanceFormat = 'json' | 'taillard' | 'dacol-teppan' | 'standard';

const HASH = 0x23;
const MINUS = 0x2d;
const ONE = 0x31;
const HEAD_LINES = 8;
const HEAD_WIDTH = 1000;
const DECODER = new TextDecoder();

/**
 * Detects the format of an instance: JSON begins with a brace (or wrongly with a bracket), Taillard's files have the
 * words `Times` or `Machines` in one of their first lines, Da Col and Teppan's end jobs with `-1 -1`; everything else
 * is treated as the standard format. Comments are ignored.
 */
export function detectFormat(bytes: Uint8Array): InstanceFormat {
  const first = firstByte(bytes);
  if (first === 0x7b || first === 0x5b) return 'json';
  if (hasTaillardHeading(bytes)) return 'taillard';
  return hasStop(bytes) ? 'dacol-teppan' : 'standard';
}

function hasTaillardHeading(bytes: Uint8Array): boolean {
  let seen = 0;
  for (let i = textStart(bytes); i < bytes.length && seen < HEAD_LINES; i++) {
    if (isBlank(bytes[i])) continue;
    const end = lineEnd(bytes, i);
    if (bytes[i] !== HASH) {
      const line = DECODER.decode(bytes.subarray(i, Math.min(end, i + HEAD_WIDTH)));
      if (/\b(times|machines)\b/i.test(line)) return true;
      seen++;
    }
    i = end;
  }
  return false;
}

/** Searches for two tokens `-1` in a row, outside of comments. */
function hasStop(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let first = bytes.indexOf(MINUS);
  while (first >= 0 && bytes[first + 1] !== ONE) first = bytes.indexOf(MINUS, first + 1);
  if (first < 0) return false;
  for (let i = bytes.lastIndexOf(NEWLINE, first) + 1; i < length; i++) {
    if (bytes[i] === HASH) i = lineEnd(bytes, i);
    else if (bytes[i] === MINUS && isMinusOne(bytes, i)) {
      i += 2;
      while (i < length && isBlank(bytes[i])) i++;
      if (isMinusOne(bytes, i)) return true;
      i--;
    }
  }
  return false;
}

function isMinusOne(bytes: Uint8Array, i: number): boolean {
  const isNumber = bytes[i] === MINUS && bytes[i + 1] === ONE;
  return isNumber && (i + 2 >= bytes.length || isBlank(bytes[i + 2]));
}
