// Changes of inputs: of bytes, of words, of lines and of JSON values. All derive from a seeded source of numbers.
import type { Random } from '@alas-jssp/core/random';
import { mutateJson } from './mutate-json.js';
import { type MutationParts, newNumber, newWord } from './words.js';

/** The longest input, in bytes. */
export const MOST_BYTES = 2 ** 16;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** An input like another, changed in one to a handful of places. */
export function mutate(input: Uint8Array, parts: MutationParts): Uint8Array {
  const { random } = parts;
  const changes = 1 + Math.floor(random.next() ** 3 * 6);
  let now = input;
  for (let i = 0; i < changes; i++) now = change(now, parts);
  return now.length > MOST_BYTES ? now.subarray(0, MOST_BYTES) : now;
}

function change(input: Uint8Array, parts: MutationParts): Uint8Array {
  const { random } = parts;
  const kind = random.integer(0, 9);
  if (kind < 2) return changeBytes(input, parts);
  const text = decoder.decode(input);
  if (kind < 6 && /^\s*[[{]/.test(text)) {
    const changed = mutateJson(text, parts);
    if (changed !== null) return encoder.encode(changed);
  }
  if (kind < 7) return encoder.encode(changeLines(text, random));
  return encoder.encode(changeWords(text, parts));
}

function changeBytes(input: Uint8Array, { random, others }: MutationParts): Uint8Array {
  const from = random.integer(0, input.length);
  const to = Math.min(input.length, from + random.integer(0, 16));
  const before = input.subarray(0, from);
  switch (random.integer(0, 4)) {
    case 0: {
      const changed = Uint8Array.from(input);
      if (changed.length > 0)
        changed[random.integer(0, changed.length - 1)] ^= 1 << random.integer(0, 7);
      return changed;
    }
    case 1:
      return Buffer.concat([before, input.subarray(to)]);
    case 2:
      return Buffer.concat([before, Uint8Array.of(random.integer(0, 255)), input.subarray(from)]);
    case 3:
      return repeat(input, from, to, random);
    default: {
      if (others.length === 0) return before;
      const other = others[random.integer(0, others.length - 1)];
      const start = random.integer(0, other.length);
      const end = Math.min(other.length, start + random.integer(0, 400));
      return Buffer.concat([before, other.subarray(start, end), input.subarray(to)]);
    }
  }
}

/** The same part many times: whatever takes quadratic time takes it now. */
function repeat(input: Uint8Array, from: number, to: number, random: Random): Uint8Array {
  const part = input.subarray(from, to);
  const times =
    random.integer(0, 7) === 0 ? Math.floor(MOST_BYTES / (part.length + 1)) : random.integer(1, 30);
  const all = Array.from({ length: Math.min(times, MOST_BYTES) }, () => part);
  return Buffer.concat([input.subarray(0, from), ...all, input.subarray(to)]);
}

function changeLines(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = random.integer(0, lines.length - 1);
  const other = random.integer(0, lines.length - 1);
  switch (random.integer(0, 3)) {
    case 0:
      lines.splice(at, 1 + random.integer(0, 3));
      break;
    case 1:
      lines.splice(at, 0, lines[other]);
      break;
    case 2:
      [lines[at], lines[other]] = [lines[other], lines[at]];
      break;
    default:
      return lines.join(['\r\n', '\r', ' ', '\n\n'][random.integer(0, 3)]);
  }
  return lines.join('\n');
}

function changeWords(text: string, { random, words }: MutationParts): string {
  const parts = text.match(/[\p{L}_][\p{L}\p{N}_]*|\d[\d.eE+-]*|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
  const at = random.integer(0, Math.max(0, parts.length - 1));
  const isNumber = /^\d/.test(parts[at] ?? '');
  const kind = random.integer(0, 6);
  if (kind === 0) parts.splice(at, 1);
  else if (kind === 1 && parts.length > 0)
    parts.splice(at, 0, parts[random.integer(0, parts.length - 1)]);
  else if (kind === 2) parts.splice(at, 0, newWord(random, words));
  else if (isNumber || kind === 3) parts[at] = newNumber(random);
  else parts[at] = newWord(random, words);
  return parts.join('');
}
