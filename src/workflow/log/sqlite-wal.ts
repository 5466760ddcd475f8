import { existsSync, readFileSync } from 'node:fs';

/**
 * Looks for damage in the write-ahead log beside an SQLite file (https://sqlite.org/walformat.html).
 * SQLite itself takes the first frame with a wrong checksum for the end of that log and says nothing:
 * a changed byte would silently cut off what was appended after it.
 *
 * @returns one sentence for each fault
 */
export function walFaults(file: string): string[] {
  const wal = `${file}-wal`;
  // A frame that is being written at this very moment looks damaged; not so a moment later.
  let fault: string | undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    fault = existsSync(wal) ? findFault(readFileSync(wal)) : undefined;
    if (fault === undefined) return [];
  }
  return [fault as string];
}

const HEADER = 32;
const FRAME_HEADER = 24;

function findFault(wal: Buffer): string | undefined {
  if (wal.length < HEADER + FRAME_HEADER) return undefined;
  const readWord = wal.readUInt32BE(0) === 0x377f0683 ? readBig : readLittle;
  const pageSize = wal.readUInt32BE(8);
  let sum = checksum(wal, 0, 24, [0, 0], readWord);
  if ((wal.readUInt32BE(0) & ~1) !== 0x377f0682 || !standsAt(wal, 24, sum)) {
    return 'the header of the write-ahead log is damaged: all that stands in that log is lost';
  }
  const frameSize = FRAME_HEADER + pageSize;
  let damaged = 0;
  for (let at = HEADER, frame = 1; at + frameSize <= wal.length; at += frameSize, frame++) {
    // Frames of an earlier generation are left from before: both words of their salt are others.
    const salts = [8, 12].filter(
      (word) => wal.readUInt32BE(at + word) === wal.readUInt32BE(8 + word),
    );
    if (salts.length === 0) continue;
    if (damaged === 0) {
      sum = checksum(wal, at, at + 8, sum, readWord);
      sum = checksum(wal, at + FRAME_HEADER, at + frameSize, sum, readWord);
      if (salts.length < 2 || !standsAt(wal, at + 16, sum)) damaged = frame;
    }
  }
  if (damaged === 0) return undefined;
  return `frame ${damaged} of the write-ahead log is damaged: what was appended from there on is lost`;
}

type Sum = readonly [number, number];
type ReadWord = (bytes: Buffer, at: number) => number;

const readBig: ReadWord = (bytes, at) => bytes.readUInt32BE(at);
const readLittle: ReadWord = (bytes, at) => bytes.readUInt32LE(at);

function checksum(bytes: Buffer, from: number, to: number, [a, b]: Sum, readWord: ReadWord): Sum {
  let first = a;
  let second = b;
  for (let at = from; at < to; at += 8) {
    first = (first + readWord(bytes, at) + second) >>> 0;
    second = (second + readWord(bytes, at + 4) + first) >>> 0;
  }
  return [first, second];
}

function standsAt(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}
