// The inputs of a target that are kept in the repository: one file per target, one input a line.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzSeed } from './target.js';

/** The folder of kept inputs. */
const CORPUS = join('packages', 'lab', 'fuzz-corpus');

/** The longest seed: longer files are cut, because short inputs are tried much more often. */
const LONGEST_SEED = 12_000;

/** The kept inputs of a target, from the root of the repository. */
export function readCorpus(target: string, folder = CORPUS): Uint8Array[] {
  const file = join(folder, `${target}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => fromLine(JSON.parse(line)));
}

/** Writes the inputs of a target, the short ones first. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[], folder = CORPUS): void {
  mkdirSync(folder, { recursive: true });
  const lines = inputs.map((input) => `${toLine(input)}\n`);
  lines.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  writeFileSync(join(folder, `${target}.jsonl`), lines.join(''));
}

/** An input in one line: a text, or bytes that are none in base64. */
export function toLine(input: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  const isText = Buffer.compare(Buffer.from(text), input) === 0;
  // These would not survive an editor.
  const isPlain = isText && !/[\u007f-\u009f\u2028\u2029\ufeff]/.test(text);
  return JSON.stringify(isPlain ? text : { base64: Buffer.from(input).toString('base64') });
}

function fromLine(line: string | { readonly base64: string }): Uint8Array {
  return typeof line === 'string' ? Buffer.from(line) : Buffer.from(line.base64, 'base64');
}

/** The inputs that a target names. */
export function seedsOf(seeds: readonly FuzzSeed[]): Uint8Array[] {
  return seeds.map((seed) =>
    'text' in seed ? Buffer.from(seed.text) : readFileSync(seed.file).subarray(0, LONGEST_SEED),
  );
}
