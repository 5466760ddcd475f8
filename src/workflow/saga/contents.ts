import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/sha256.js';

// The bytes of files, each under the hash of its content: new ones, and old ones that an
// application replaces. What is there is there as a whole: drafts get their name when complete.

/** Keeps bytes, and gives the hash to fetch them by. */
export function keepContent(directory: string, bytes: Uint8Array): string {
  const id = sha256(bytes);
  const file = contentFile(directory, id);
  if (existsSync(file)) return id;
  writeFileSync(`${file}.tmp`, bytes);
  renameSync(`${file}.tmp`, file);
  return id;
}

export function fetchContent(directory: string, id: string): Buffer {
  return readFileSync(contentFile(directory, id));
}

export function dropContents(directory: string): void {
  rmSync(join(directory, 'contents'), { recursive: true, force: true });
  mkdirSync(join(directory, 'contents'));
}

function contentFile(directory: string, id: string): string {
  return join(directory, 'contents', id);
}
