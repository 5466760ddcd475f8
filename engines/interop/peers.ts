import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

// As install.sh has it.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const python = join(home, 'interop-1', 'bin', 'python');

/** Whether the Python libraries are installed. */
export const hasPeers = existsSync(python);

/** Runs a command of peers.py, and returns the JSON that it prints. */
export function peers(command: string, ...files: string[]) {
  const script = join(import.meta.dirname, 'peers.py');
  const options = { encoding: 'utf8', maxBuffer: 2 ** 27 } as const;
  return JSON.parse(execFileSync(python, [script, command, ...files], options));
}

/** A folder for files that is removed at the end. */
export function createFolder() {
  const path = mkdtempSync(join(tmpdir(), 'interop-'));
  return {
    path,
    write(name: string, content: string | object): string {
      const file = join(path, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
