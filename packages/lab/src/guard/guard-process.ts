// A guard in a process of its own, and a scripted client of it that can be rude: it may kill the guard or its servers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The directory of the library whose guard is tried. */
const LIBRARY = join(import.meta.dirname, '../../../..');
const PROGRAM = join(LIBRARY, 'bin/alas-jssp.js');

/** The result of a request, or the way in which it ended without one. */
export type Response = { readonly result: Record<string, unknown> } | { readonly gone: string };

/** A guard that serves a client. */
export interface GuardProcess {
  call(name: string, input: object, key: string): Promise<Response>;
  /** Resolves when the guard has ended after its client is gone. */
  leave(): Promise<void>;
  kill(): Promise<void>;
  isOver(): boolean;
  /** The last words of its error stream. */
  words(): string;
}

/** The files of a guard. */
export interface GuardFiles {
  readonly policy: string;
  readonly log: string;
  readonly report: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a guard and shakes hands with it. */
export async function startGuard(files: GuardFiles): Promise<GuardProcess> {
  const args = [
    PROGRAM,
    'guard',
    '--policy',
    files.policy,
    '--log',
    files.log,
    '--report',
    files.report,
  ];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...files.environment } });
  const open = new Map<number, (response: Response) => void>();
  let words = '';
  let ids = 0;
  child.stderr.on('data', (chunk) => {
    words = `${words}${chunk}`.slice(-4000);
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    open.get(id)?.(result === undefined ? { gone: JSON.stringify(error) } : { result });
    open.delete(id);
  });
  const exited = once(child, 'exit').then(() => {
    for (const answer of open.values()) answer({ gone: 'the guard has ended' });
    open.clear();
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const request = (method: string, params: object) =>
    new Promise<Response>((resolve) => {
      if (isOver(child)) return resolve({ gone: 'the guard has ended' });
      open.set(++ids, resolve);
      send({ jsonrpc: '2.0', id: ids, method, params });
    });
  const begun = await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'trial', version: '1' },
  });
  if ('gone' in begun) throw new Error(`the guard does not start: ${begun.gone}: ${words}`);
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    call: (name, input, key) =>
      request('tools/call', {
        name,
        arguments: input,
        _meta: { 'alas-jssp/idempotency-key': key },
      }),
    async leave() {
      child.stdin.end();
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    isOver: () => isOver(child),
    words: () => words,
  };
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Takes back what a killed guard has left: the reports of the sessions that needed it. */
export async function recoverGuard(
  files: GuardFiles,
): Promise<{ readonly reports: readonly unknown[]; readonly words: string }> {
  const args = [PROGRAM, 'guard', '--recover', files.log, '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...files.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, words] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    words += chunk;
  });
  await once(child, 'close');
  try {
    return { reports: JSON.parse(out), words };
  } catch {
    throw new Error(`--recover wrote no JSON: ${out} ${words}`);
  }
}

/** Processes whose command or environment names the directory of a world, by their ids. */
export function processesOf(directory: string): readonly { id: number; command: string }[] {
  const found: { id: number; command: string }[] = [];
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const id = Number(name);
    if (id === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      if (`${command} ${environment}`.includes(directory)) found.push({ id, command });
    } catch {
      // It has ended in the meantime.
    }
  }
  return found;
}
