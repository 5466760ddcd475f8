import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './marks.js';

// The bytes of files, each under the hash of its content: new ones, and old ones that an
// application replaces. What is there is there as a whole: drafts get their name when complete.

/** Keeps bytes, and gives the hash to fetch them by. */
export function keepContent(directory: string, bytes: Uint8Array): string {
  const sha256 = hashOf(bytes);
  const file = contentFile(directory, sha256);
  if (existsSync(file)) return sha256;
  writeFileSync(`${file}.tmp`, bytes);
  renameSync(`${file}.tmp`, file);
  return sha256;
}

export function fetchContent(directory: string, sha256: string): Buffer {
  return readFileSync(contentFile(directory, sha256));
}

export function dropContents(directory: string): void {
  rmSync(join(directory, 'contents'), { recursive: true, force: true });
  mkdirSync(join(directory, 'contents'));
}

function contentFile(directory: string, sha256: string): string {
  return join(directory, 'contents', sha256);
}
