import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { env, platform } from 'node:process';
import { once } from '@alas-jssp/core/once';
import { TREE_VARIABLE } from './process-tree.js';

/** Stops the programs of this thread when the thread ends, for any reason. */
export interface ProcessGuard {
  /** The common prefix of the marks of programs that this thread starts. */
  readonly mark: string;
  /** Their directory of files, which is deleted when the thread ends. */
  readonly directory: string;
  /** Sets the running program, the leader of its group; null when it has ended. */
  watch(group: number | null): void;
}

/**
 * A process that waits for the end of its input, which closes when the thread or process is killed. Then it stops all
 * processes with the mark in their environment if `/proc` exists, otherwise the last group.
 */
const SCRIPT = `
trap '' INT TERM HUP
group=
while read -r line; do group=$line; done
scan=0
while [ $scan -lt 50 ]; do
  found=
  for file in $(grep -lsaF -e "$1" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}; found="$found \${pid%/environ}"
  done
  [ -n "$found$group" ] || break
  [ -z "$group" ] || kill -KILL -- "-$group" 2>/dev/null
  [ -z "$found" ] || { kill -STOP $found; kill -KILL $found; } 2>/dev/null
  group=
  scan=$((scan + 1))
done
rm -rf -- "$2"
`;

/** The guard of this thread, started once with the first program. */
export const processGuard = once((): ProcessGuard => {
  const mark = randomUUID();
  const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-exec-'));
  if (platform === 'win32') return unguarded(mark, directory);
  const guard = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'alas-jssp-guard', `${TREE_VARIABLE}=${mark}`, directory],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      // In a separate session it does not receive Ctrl-C.
      detached: true,
      env: { PATH: env.PATH },
      cwd: tmpdir(),
    },
  );
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  // It does not keep the process alive either.
  (guard.stdin as unknown as { unref(): void }).unref();
  return {
    mark,
    directory,
    watch: (group) => void guard.stdin.write(`${group ?? ''}\n`),
  };
});

/** Windows has no such shell: files are deleted when the thread ends by itself, and programs end as they like. */
function unguarded(mark: string, directory: string): ProcessGuard {
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return { mark, directory, watch: () => {} };
}
