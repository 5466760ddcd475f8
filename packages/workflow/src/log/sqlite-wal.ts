import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { execPath } from 'node:process';

/**
 * Checks the write-ahead log next to an SQLite file for damage (https://sqlite.org/walformat.html).
 * SQLite itself treats the first frame with a wrong checksum as the end of that log and reports
 * nothing: one changed byte would silently cut off the entries after it.
 *
 * @returns one sentence for each fault
 */
export function walFaults(file: string): string[] {
  const wal = `${file}-wal`;
  // A frame that is being written at this moment looks damaged, but not a moment later.
  let fault: string | undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    fault = existsSync(wal) ? findFault(readFileSync(wal)) : undefined;
    if (fault === undefined) return [];
  }
  return [fault as string];
}

/**
 * Finds a loss in a write-ahead log that ends within a frame. A process killed during an append
 * leaves such a log, too, but then all committed data exist. The index next to it (`-shm`) knows
 * their size; SQLite rebuilds it when the file is opened, and afterwards the loss is invisible.
 */
export function cutFault(file: string): string | undefined {
  let fault: string | undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    const wal = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0);
    const size = wal.length < HEADER ? HEADER : FRAME_HEADER + wal.readUInt32BE(8);
    const rest = wal.length < HEADER ? wal.length : (wal.length - HEADER) % size;
    fault =
      rest === 0
        ? undefined
        : findCut(`${file}-shm`, wal, Math.floor((wal.length - HEADER) / size));
    if (fault === undefined) return undefined;
  }
  return fault;
}

/** Offsets in the index, whose numbers have the byte order of the machine. */
const INDEX = { isInit: 12, committed: 16, salts: 32, backfilled: 96, length: 136 };

function findCut(shm: string, wal: Buffer, frames: number): string | undefined {
  if (!existsSync(shm)) return 'the write-ahead log ends within a frame: later entries are lost';
  const index = readElsewhere(shm);
  if (index.length < INDEX.length || index[INDEX.isInit] !== 1) return undefined;
  const read = endianness() === 'LE' ? readLittle : readBig;
  const committed = read(index, INDEX.committed);
  if (frames >= committed || read(index, INDEX.backfilled) >= committed) return undefined;
  const salts = index.subarray(INDEX.salts, INDEX.salts + 8);
  if (wal.length >= HEADER && !wal.subarray(16, 24).equals(salts)) return undefined;
  const missing = committed - Math.max(0, frames);
  return `the write-ahead log was cut: ${missing} of its ${committed} frames are missing, and their entries are lost`;
}

/**
 * Reads a file in another process: if this one has the log open, closing the file would drop its
 * locks. Empty if the last process that had the log open has removed the file meanwhile.
 */
function readElsewhere(file: string): Buffer {
  const script =
    'try { process.stdout.write(require("fs").readFileSync(process.argv[1]).subarray(0, 136)) } catch {}';
  return execFileSync(execPath, ['-e', script, file]);
}

const HEADER = 32;
const FRAME_HEADER = 24;

function findFault(wal: Buffer): string | undefined {
  if (wal.length < HEADER + FRAME_HEADER) return undefined;
  const readWord = wal.readUInt32BE(0) === 0x377f0683 ? readBig : readLittle;
  const pageSize = wal.readUInt32BE(8);
  let sum = checksum(wal, 0, 24, [0, 0], readWord);
  if ((wal.readUInt32BE(0) & ~1) !== 0x377f0682 || !standsAt(wal, 24, sum)) {
    return 'the header of the write-ahead log is damaged: all its entries are lost';
  }
  const frameSize = FRAME_HEADER + pageSize;
  let damaged = 0;
  for (let at = HEADER, frame = 1; at + frameSize <= wal.length; at += frameSize, frame++) {
    // Frames of an earlier generation remain: both words of their salt differ.
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
  return `frame ${damaged} of the write-ahead log is damaged: later entries are lost`;
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
