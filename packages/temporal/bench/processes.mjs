// Worker processes and the server, for trials and measurements: started, killed and started again.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { env, execPath, pid as ownPid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer } from '../server.mjs';

const COMMAND = fileURLToPath(new URL('../bin/alas-jssp-temporal.js', import.meta.url));

/** How much of what a process said on standard error an error quotes. */
const QUOTED = 2000;

/**
 * Starts a worker in a process of its own, by the command that users have.
 *
 * @param {{ address: string, slots?: number, handlers?: string, env?: Record<string, string>, within?: string[] }} options
 *   `handlers`: path of a module; `within`: a command that runs the words behind it in its own process, elsewhere
 */
export function startWorkerProcess({ address, slots = 8, handlers, env: more = {}, within = [] }) {
  const words = [
    ...within,
    execPath,
    COMMAND,
    'worker',
    '--address',
    address,
    '--slots',
    String(slots),
  ];
  if (handlers !== undefined) words.push('--handlers', handlers);
  const [command, ...args] = words;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...more },
  });
  let said = '';
  const hear = (text) => {
    said = `${said}${text}`.slice(-QUOTED);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const killAtEnd = () => child.kill('SIGKILL');
  process.once('exit', killAtEnd);
  const ended = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', killAtEnd);
      resolve({ code, signal, said });
    });
  });
  const end = (signal) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid,
    ended,
    said: () => said,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/**
 * A number of workers that are started again when they were killed.
 *
 * @param {number} count
 * @param {Parameters<typeof startWorkerProcess>[0]} options
 * @param {(text: string) => void} complain told of a worker that ended by itself
 * @param {(place: number) => string[]} within the command within which the worker of a place runs
 */
export function startFleet(count, options, complain, within = () => []) {
  const workers = Array.from({ length: count }, () => undefined);
  let stopped = false;
  const begin = (place) => {
    const worker = startWorkerProcess({ ...options, within: within(place) });
    workers[place] = worker;
    worker.ended.then(({ code, signal, said }) => {
      if (signal === 'SIGKILL' || stopped) return;
      // It began while the server was away: whoever watches over workers starts it again.
      if (/TransportError|no_server|no Temporal server/.test(said)) return void begin(place);
      complain(`a worker ended by itself with ${code ?? signal}: ${said.trim()}`);
    });
  };
  for (let place = 0; place < count; place++) begin(place);
  return {
    pids: () => workers.map(({ pid }) => pid),
    /** The places of workers that have said that they poll. */
    atWork: () => [...workers.keys()].filter((place) => workers[place].said() !== ''),
    /** Kills a worker and starts another in its place, `absence` milliseconds later. */
    async replace(place, absence = 0) {
      await workers[place].kill();
      await sleep(absence);
      if (!stopped) begin(place);
    },
    async stop() {
      stopped = true;
      await Promise.all(workers.map((worker) => worker.kill()));
    },
  };
}

/**
 * A server with a database, which outlives kills of its process.
 *
 * @param {string} file
 * @param {Record<string, string | number>} [config] dynamic settings of the server by their names
 * @param {string} [host] where others reach it
 */
export async function startLastingServer(file, config = {}, host = undefined) {
  let server = await startServer({ host, file, config });
  const { port } = server;
  return {
    address: server.address,
    pid: () => server.pid,
    /** Kills the server and starts it again on its database, `absence` milliseconds later. */
    async restart(absence = 0) {
      await server.kill();
      await sleep(absence);
      server = await startServer({ host, file, port, config });
    },
    stop: () => server.kill(),
  };
}

const TICKS = 100;

/**
 * CPU seconds and resident bytes of a process of this machine (Linux), now.
 *
 * @param {number} [pid]
 */
export function usageOf(pid = ownPid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in parentheses, and may have blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, bytes: kilobytes * 1024 };
}

/** Milliseconds that the cores have had, and of them without work. */
export function coresNow() {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.flatMap((time) => Object.values(time)).reduce((a, b) => a + b, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

/** The share of the cores' time without work since then. */
export function idleSince(before) {
  const { all, idle } = coresNow();
  return (idle - before.idle) / Math.max(1, all - before.all);
}
