import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import { InputError } from '../../core/errors.js';

/** Locks that this process holds. */
const held = new Set<string>();

/**
 * Takes the directory of a run for this process: two that write to one would spoil it. A lock
 * that a killed process left behind is taken over.
 *
 * @returns gives the directory free again
 * @throws InputError `run_locked` if another run holds it
 */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, 'run.lock');
  if (!tryLock(file)) {
    refuseLiving(directory, file);
    rmSync(file, { force: true });
    if (!tryLock(file)) refuseLiving(directory, file);
  }
  held.add(file);
  return () => {
    if (held.delete(file)) rmSync(file, { force: true });
  };
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, `${pid} ${hostname()}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function refuseLiving(directory: string, file: string): void {
  const [owner, host] = readFileSync(file, 'utf8').trim().split(' ');
  if (host === hostname() && !isAlive(Number(owner), file)) return;
  throw new InputError(
    'run_locked',
    `another run is writing to this directory (process ${owner} on ${host})`,
    `wait until it is done, or delete ${file} if there is no such process`,
    { file: directory },
  );
}

/** This process may have the number of one that is dead, in a container for example. */
function isAlive(owner: number, file: string): boolean {
  if (owner === pid) return held.has(file);
  try {
    return kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
