import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { refuseProof } from './proof-line.js';

/** The length of a line: packed files may unpack to any number of characters. */
const MAX_LINE = 2 ** 26;
/** The first byte of gzip, which no text begins with. */
const GZIP = 0x1f;

/**
 * The lines of a proof whose bytes come in chunks, such as those of a stream that reads a file; unpacked if they are
 * gzip. Only one chunk and one line are in memory.
 *
 * @throws AlasError `bad_proof` if the bytes are damaged gzip or no text, or a line is longer than 64 MiB
 */
export async function* proofLines(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  // The line that has not ended yet, in parts: joined once, or long lines would take quadratic time.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of unpack(chunks)) {
    const lines = decode(decoder, chunk).split('\n');
    const rest = lines.pop() as string;
    if (lines.length > 0) {
      lines[0] = parts.join('') + lines[0];
      parts = [];
      length = 0;
    }
    yield* lines;
    parts.push(rest);
    length += rest.length;
    if (length > MAX_LINE) refuseProof('the line is longer than 64 MiB');
  }
  if (length > 0) yield parts.join('');
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    return refuseProof('this is no text');
  }
}

/** The bytes behind gzip; the same bytes if they are no gzip. */
async function* unpack(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = iterate(chunks);
  const first = await source.next();
  if (first.done) return;
  const all = chain(first.value, source);
  if (first.value[0] !== GZIP) return yield* all;
  // A pipeline passes errors of the source on.
  const gunzip = createGunzip();
  pipeline(all, gunzip, () => {});
  try {
    yield* gunzip;
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))) {
      refuseProof(`the gzip file is damaged or cut off (${error.message})`);
    }
    throw error;
  }
}

async function* chain(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

async function* iterate(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk;
}
