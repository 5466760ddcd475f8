import { constants } from 'node:fs';
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { BlobStore } from './compensation.js';

let drafts = 0;

/** Opens the blobs beside a log: files by digest in a directory that only the owner can read. */
export function openBlobStore(directory: string): BlobStore {
  const fileOf = (digest: string) => join(directory, digest.slice(0, 2), digest);
  return {
    async put(bytes) {
      const digest = sha256(bytes);
      const file = fileOf(digest);
      const known = await stat(file).catch(() => undefined);
      if (known?.size === bytes.length) return digest;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const draft = `${file}.${pid}-${++drafts}.tmp`;
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
      await syncDirectory(dirname(file));
      return digest;
    },
    async get(digest) {
      if (!/^[0-9a-f]{64}$/.test(digest)) throw missing(digest, directory);
      const bytes = await readFile(fileOf(digest)).catch(() => undefined);
      if (bytes === undefined) throw missing(digest, directory);
      if (sha256(bytes) === digest) return bytes;
      throw new AlasError('changed_blob', `the contents ${digest} in ${directory} have changed`);
    },
  };
}

/** Blobs in memory, beside a log in memory. */
export function createMemoryBlobs(): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(bytes) {
      const digest = sha256(bytes);
      blobs.set(digest, Uint8Array.from(bytes));
      return digest;
    },
    async get(digest) {
      const bytes = blobs.get(digest);
      if (bytes === undefined) throw missing(digest, 'memory');
      return bytes;
    },
  };
}

function missing(digest: string, place: string): InputError {
  const hint = 'put the directory back that was beside the log';
  return new InputError('no_blob', `${place} has no contents ${digest}`, hint, {}, digest);
}

/** Makes the name of a new file durable, where the system supports it. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
