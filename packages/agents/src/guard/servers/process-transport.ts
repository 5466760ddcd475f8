import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { kill, platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { ServerProcess } from './server.js';

/** A command to start. */
export interface ProcessCommand {
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A transport to a server over the streams of its process. */
export interface ProcessTransport extends Transport {
  /** The process, once it has started. */
  readonly process: ServerProcess | undefined;
  /** The last line of its error stream. */
  lastWords(): string;
  /** Ends its process and all processes of its group, at once; resolves when none is left. */
  end(): Promise<void>;
}

/** The largest message of a server, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The length of the end of the server's errors that is kept. */
const KEPT = 2000;

/** How long a server whose input is closed has to end by itself, in milliseconds. */
const GRACE = 2000;

/** Processes have groups, so that their children can be ended with them. */
const HAS_GROUPS = platform !== 'win32';

/**
 * Creates a transport that starts a server in a process group of its own: a Ctrl-C in the terminal
 * does not end the server before its calls are taken back, and nothing of it acts after its end.
 */
export function createProcessTransport(given: ProcessCommand): ProcessTransport {
  const buffer = new ReadBuffer({ maxBufferSize: MOST_BYTES });
  let child: ChildProcess | undefined;
  let started: ServerProcess | undefined;
  let words = '';
  let exited: Promise<void> = Promise.resolve();
  const transport: ProcessTransport = {
    get process() {
      return started;
    },
    lastWords: () => words.trim().split('\n').at(-1)?.trim() ?? '',
    start: () =>
      new Promise<void>((resolve, reject) => {
        const [command = '', ...args] = given.command;
        child = spawn(command, args, {
          cwd: given.directory,
          env: { ...getDefaultEnvironment(), ...given.environment },
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: HAS_GROUPS,
          shell: false,
          windowsHide: true,
        });
        const begun = child;
        // A command that could not be started has no process, and never exits.
        const neverRan = begun.pid === undefined;
        exited = new Promise((done) => (neverRan ? done() : begun.once('exit', () => done())));
        begun.once('error', (error) => {
          reject(error);
          transport.onerror?.(error);
        });
        begun.once('spawn', () => {
          started = processOf(begun.pid as number);
          resolve();
        });
        begun.once('close', () => transport.onclose?.());
        begun.stdin?.on('error', (error) => transport.onerror?.(error));
        begun.stdout?.on('data', (chunk: Buffer) => receive(chunk));
        // Read always: a full pipe would stop the server.
        begun.stderr?.on('data', (chunk) => {
          words = `${words}${chunk}`.slice(-KEPT);
        });
      }),
    send: (message: JSONRPCMessage) =>
      new Promise<void>((resolve, reject) => {
        const { stdin } = child ?? {};
        if (stdin === undefined || stdin === null || stdin.destroyed) {
          reject(new Error('the server has ended'));
          return;
        }
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      if (child === undefined) return;
      child.stdin?.end();
      await Promise.race([exited, sleep(GRACE, undefined, { ref: false })]);
      await transport.end();
    },
    async end() {
      if (started !== undefined) await endProcess(started, true);
      child?.stdout?.destroy();
    },
  };
  function receive(chunk: Buffer): void {
    try {
      buffer.append(chunk);
    } catch (error) {
      // The rest of its stream cannot be read any more.
      transport.onerror?.(error as Error);
      void transport.end();
      return;
    }
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message);
      } catch (error) {
        // A line that is no message, such as a greeting.
        transport.onerror?.(error as Error);
      }
    }
  }
  return transport;
}

/** A process by its number. */
function processOf(pid: number): ServerProcess {
  return { pid, started: statOf(pid)?.started ?? '' };
}

/** The state, the group and the start of a process; undefined where the system does not say. */
function statOf(pid: number | string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the process, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], group: Number(fields[2]), started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** Whether a process of a group is left that can act. */
function isGroupAlive(group: number): boolean {
  if (!signal(HAS_GROUPS ? -group : group, 0)) return false;
  if (!existsSync('/proc/self/stat')) return true;
  // Ended processes whose parent has not looked yet cannot act.
  return readdirSync('/proc').some((pid) => {
    const stat = /^\d+$/.test(pid) ? statOf(pid) : undefined;
    return stat?.group === group && stat.state !== 'Z' && stat.state !== 'X';
  });
}

/** How long processes are awaited that were told to end, in milliseconds. */
const LONGEST = 5000;

/**
 * Ends a process that this or an earlier guard started, and all processes of its group. Where the
 * system does not tell when a process started, one of an earlier guard is not ended: its number may
 * belong to another one by now.
 *
 * @returns whether certainly none is left
 */
export async function endProcess(
  { pid, started }: ServerProcess,
  isOurs: boolean,
): Promise<boolean> {
  if (!isGroupAlive(pid)) return true;
  const now = statOf(pid)?.started;
  if (now !== undefined && now !== started) return true;
  if (!isOurs && started === '') return false;
  signal(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  for (let waited = 0; waited < LONGEST; waited += 10) {
    if (!isGroupAlive(pid)) return true;
    await sleep(10);
  }
  return false;
}

/** Sends a signal; false if there is no such process. */
function signal(pid: number, name: 'SIGKILL' | 0): boolean {
  try {
    kill(pid, name);
    return true;
  } catch (error) {
    // A process of another user exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
