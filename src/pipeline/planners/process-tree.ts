import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { kill, platform } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { monotonicSeconds } from '@alas-jssp/core/clock';

/** A program and all processes that it started, including those that have left its group, session and parent. */
export interface ProcessTree {
  /**
   * Resident memory of all processes in MiB; null if unknown. Shared pages count once if that decides about the limit.
   * New processes are detected periodically.
   */
  megabytes(limit: number): number | null;
  /** Stops all processes; resolves when none is left, or when some cannot be stopped. */
  end(): Promise<void>;
}

/** The environment variable that identifies processes that have left their parents. */
export const TREE_VARIABLE = 'ALAS_JSSP_EXEC';

/** Maximum number of scans for new processes at the end of a tree, and milliseconds between two. */
const MAX_SCANS = 200;
const PAUSE = 10;

/** Minimum seconds between two searches for new processes, and their maximum share of the time. */
const BETWEEN_LOOKS = 0.2;
const SHARE = 0.04;

/** A process as `/proc` lists it. */
interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Distinguishes a process from a later one with the same number. */
  readonly started: string;
  readonly isDead: boolean;
}

/**
 * The processes of a program with its own process group. On Linux they are found by their parents, groups and sessions,
 * and by a variable in their environment; elsewhere only the group is known, on Windows the descendants.
 *
 * @param mark value of {@link TREE_VARIABLE} in the environment of the program
 */
export function watchTree(root: number, mark: string): ProcessTree {
  if (platform === 'win32') return descendantsAlone(root);
  if (platform !== 'linux') return groupAlone(root);
  const wanted = `${TREE_VARIABLE}=${mark}\0`;
  /** All members so far, and all processes that are not members, by number and start. */
  const members = new Map<number, string>();
  const others = new Map<number, string>();

  let nextLook = 0;

  const look = (): ProcessLine[] => {
    const all = readProcesses();
    const isMember = (one: ProcessLine) => members.get(one.pid) === one.started;
    const isKin = (one: ProcessLine) =>
      one.pid === root || one.group === root || one.session === root || members.has(one.parent);
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const one of all) if (!isMember(one) && isKin(one)) members.set(one.pid, one.started);
    }
    for (const one of all) {
      if (isMember(one) || others.get(one.pid) === one.started) continue;
      if (readText(`/proc/${one.pid}/environ`).includes(wanted)) members.set(one.pid, one.started);
      else others.set(one.pid, one.started);
    }
    for (const pid of members.keys()) if (!all.some((one) => one.pid === pid)) members.delete(pid);
    return all.filter((one) => isMember(one) && !one.isDead);
  };

  return {
    megabytes(limit) {
      const now = monotonicSeconds();
      if (now >= nextLook) {
        look();
        const took = monotonicSeconds() - now;
        nextLook = now + Math.max(BETWEEN_LOOKS, took / SHARE);
      }
      const pids = [...members.keys()];
      const sum = sumOf(pids, (pid) => kilobytes(`/proc/${pid}/status`, 'VmRSS'));
      // The exact sum is slow: a forked process shares its memory with its parent until it writes.
      if (sum <= limit) return sum;
      return sumOf(pids, (pid) => kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss'));
    },
    async end() {
      for (let scan = 0; scan < MAX_SCANS; scan++) {
        const alive = look();
        if (alive.length === 0) return;
        // All are stopped first, so that none can fork while the others are killed.
        for (const { pid } of alive) send(pid, 'SIGSTOP');
        for (const { pid } of look()) send(pid, 'SIGKILL');
        await setTimeout(PAUSE);
      }
    },
  };
}

function groupAlone(root: number): ProcessTree {
  return {
    megabytes: () => null,
    end: async () => send(-root, 'SIGKILL'),
  };
}

/** Windows has no process groups: a program of the system ends a process and those that it started. */
function descendantsAlone(root: number): ProcessTree {
  return {
    megabytes: () => null,
    async end() {
      const child = spawn('taskkill', ['/pid', String(root), '/t', '/f'], { stdio: 'ignore' });
      // It also fails if the process has ended in the meantime.
      await once(child, 'close').catch(() => {});
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

function readProcesses(): ProcessLine[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readText(`/proc/${name}/stat`);
    // The program name, in brackets, may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 20) return [];
    const [state, parent, group, session] = fields;
    return {
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      started: fields[19],
      isDead: state === 'Z' || state === 'X',
    };
  });
}

function sumOf(pids: readonly number[], kilobytesOf: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + kilobytesOf(pid), 0) / 1024;
}

/** A number from a file in `/proc`; 0 if the file no longer exists. */
function kilobytes(file: string, key: string): number {
  return Number(new RegExp(`^${key}:\\s*(\\d+) kB`, 'm').exec(readText(file))?.[1] ?? 0);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
