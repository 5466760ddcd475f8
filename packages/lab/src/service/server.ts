// A service in a process of its own, requests to it, and events that happen in its shops.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../../bin/alas-jssp.js', import.meta.url));
const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** The clock ticks a second in which Linux counts processor time. */
const TICKS = 100;

/** What an event of a shop depends on. */
interface ShopMoment {
  jobs: number;
  machines: number;
  now: number;
  arrives?: boolean;
}

/** A shop as the service describes it, and its time. */
export interface Shop {
  id: string;
  jobs: number;
  machines: number;
  operations: number;
  time: number;
}

/** An answer of the service. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, which the trials compare
  body: any;
}

/** Starts a service over a folder, and waits until it listens. */
export async function startServer(
  data: string,
  options: string[] = [],
  environment = process.env,
  nodeOptions: string[] = [],
) {
  const args = [...nodeOptions, program, 'serve', '--port', '0', '--data', data, ...options];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(`the service ended: ${said.join(' / ')}`)));
  });
  return { child, ended, url };
}

/** Sends a request; resolves to status and answer, rejects where the line breaks. */
export function send(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      new URL(path, base),
      {
        method,
        agent,
        headers:
          text === undefined
            ? headers
            : {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(text),
                ...headers,
              },
      },
      (answer) => {
        let all = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => {
          all += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: parse(all) }));
        answer.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(text);
  });
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Megabytes of memory that a process holds. */
export function megabytes(pid: number | undefined) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** Seconds of processor time that a process has used: all its threads, and the main one alone. */
export function processorSeconds(pid: number | undefined) {
  const [all, main] = [`/proc/${pid}/stat`, `/proc/${pid}/task/${pid}/stat`].map((file) => {
    const fields = readFileSync(file, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  });
  return { all, main };
}

/** Numbers between 0 and 1 from a seed: mulberry32. */
export function createChance(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Events of a shop: mostly breakdowns, also durations, delays, arrivals and cancellations. */
export function randomEvent(
  chance: () => number,
  { jobs, machines, now, arrives = true }: ShopMoment,
) {
  const pick = (count: number) => Math.floor(chance() * count);
  const job = `Job${1 + pick(jobs)}`;
  const kind = chance();
  if (kind < 0.6) {
    return { kind: 'breakdown', machine: pick(machines), from: now, to: now + 10 + pick(60) };
  }
  if (kind < 0.7) return { kind: 'restored', machine: pick(machines) };
  if (kind < 0.85) return { kind: 'duration', job, step: machines, factor: 1 + chance() / 2 };
  if (kind < 0.96 || !arrives) return { kind: 'delay', job, until: now + 20 + pick(60) };
  if (kind < 0.98) return { kind: 'cancellation', job };
  const operations = Array.from({ length: 5 }, (_, k) => ({ machine: k, duration: 5 + pick(30) }));
  return { kind: 'arrival', job: { operations } };
}
