import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All that stands below a directory: of files their bytes and permissions, of others the latter. */
export function treeOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    entries.map((path) => {
      const file = join(root, path);
      const status = statSync(file);
      const mode = (status.mode & 0o777).toString(8);
      return [path, status.isDirectory() ? 'directory' : `${mode} ${readFileSync(file, 'hex')}`];
    }),
  );
}

/** Writes files by path, with the directories they need. */
export function plant(root: string, files: Record<string, string | Uint8Array>, mode = 0o644) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  }
}
