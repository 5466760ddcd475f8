// A server of the Model Context Protocol in front of a real one, over stdio. By chance it forwards calls late, answers late,
// or never answers.
//   node shim.js SEED ODDS LONGEST COMMAND...
// ODDS: the share of calls with a fault. LONGEST: milliseconds of the longest delay.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '@alas-jssp/core/random';

const [seed, odds, longest, command, ...args] = process.argv.slice(2);
const random = createRandom(`${seed}-${process.pid}`);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
server.on('exit', () => process.exit(1));
server.stdin.on('error', () => {});

/** Faults of the answers that are awaited, by request. */
const faults = new Map<unknown, 'late' | 'lost'>();

createInterface({ input: process.stdin })
  .on('line', (line) => void toServer(line))
  .on('close', () => server.stdin.end());
createInterface({ input: server.stdout }).on('line', (line) => void toClient(line));

async function toServer(line: string): Promise<void> {
  const { id, method } = JSON.parse(line);
  const isFaulty = method === 'tools/call' && random.next() < Number(odds);
  const fault = isFaulty
    ? (['late-call', 'late', 'lost'] as const)[random.integer(0, 2)]
    : undefined;
  if (fault === 'late-call') await wait(random.integer(0, Number(longest)));
  else if (fault !== undefined) faults.set(id, fault);
  server.stdin.write(`${line}\n`);
}

async function toClient(line: string): Promise<void> {
  const { id } = JSON.parse(line);
  const fault = faults.get(id);
  faults.delete(id);
  if (fault === 'lost') return;
  if (fault === 'late') await wait(random.integer(0, Number(longest)));
  process.stdout.write(`${line}\n`);
}
