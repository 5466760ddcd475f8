import { gunzipSync, gzipSync } from 'node:zlib';

/** Collects the text of a proof, and drops what it does not need. */
export interface ProofArchive {
  /** Adds whole lines. */
  write(text: string): void;
  /**
   * Packs the proof with gzip, without clauses that nothing depends on; each other clause is deleted right after its
   * last use. Nothing may be written afterwards.
   */
  pack(): Uint8Array;
}

/** The characters that are packed at once. */
const CHUNK = 2 ** 22;
const HEADER_LINES = 3;

/** Creates an archive, which keeps its text packed. */
export function createProofArchive(): ProofArchive {
  const chunks: Uint8Array[] = [];
  let parts: string[] = [];
  let length = 0;

  const flush = (): void => {
    if (length === 0) return;
    chunks.push(gzipSync(parts.join(''), { level: 1 }));
    parts = [];
    length = 0;
  };

  return {
    write: (text) => {
      parts.push(text);
      length += text.length;
      if (length >= CHUNK) flush();
    },
    pack: () => {
      flush();
      const trim = createTrimmer();
      // Members of gzip, one after the other, are gzip again.
      for (let x = chunks.length - 1; x >= 0; x--) {
        const lines = gunzipSync(chunks[x]).toString().split('\n').slice(0, -1);
        const header = x === 0 ? lines.splice(0, HEADER_LINES) : [];
        const kept: string[] = [];
        for (let y = lines.length - 1; y >= 0; y--) trim(lines[y], kept);
        kept.push(...header.toReversed());
        chunks[x] = gzipSync(
          kept
            .toReversed()
            .map((line) => `${line}\n`)
            .join(''),
          { level: 9 },
        );
      }
      return Buffer.concat(chunks);
    },
  };
}

/** Goes through lines from the last to the first, and adds those that are needed to a list, in this order. */
function createTrimmer(): (line: string, kept: string[]) => void {
  const needed = new Set<number>();
  let isLast = true;
  return (line, kept) => {
    if (line.startsWith('d ')) return;
    if (line.startsWith('c ')) {
      const numbers = line.slice(2, line.indexOf(' :')).split(' ');
      // A clause of one order holds from then on, and is named by nothing.
      const isFact = numbers.length === 3;
      if (!isFact && !needed.delete(Number(numbers[0]))) return;
    }
    const over: number[] = [];
    for (const [, id] of line.slice(1).matchAll(/ c (\d+)/g)) {
      if (!needed.has(Number(id))) over.push(Number(id));
      needed.add(Number(id));
    }
    if (over.length > 0 && !isLast) kept.push(`d ${over.join(' ')}`);
    isLast = false;
    kept.push(line);
  };
}
