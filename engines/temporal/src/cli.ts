import { availableParallelism } from 'node:os';
import { stderr } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { AlasError } from 'alas-jssp';
import { Command, InvalidArgumentError } from 'commander';
import { type Address, DEFAULT_QUEUE, formatAddress, parseAddress } from './address.js';
import { buildId } from './build-id.js';
import { startWorker, type TemporalWorker, type WorkerSettings } from './worker.js';

interface WorkerOptions {
  readonly address: Address;
  readonly queue?: string;
  readonly slots: number;
  readonly handlers?: string;
}

const program = new Command('alas-jssp-temporal')
  .description('Runs, workflows and living shops of alas-jssp on a Temporal server.')
  .version(buildId(), '-V, --version', 'the build: version and checksum of what it runs');

program
  .command('worker')
  .description('take tasks of suites, workflows and shops from a queue, until Ctrl-C')
  .requiredOption('--address <address>', 'temporal://HOST:PORT/NAMESPACE?queue=NAME', address)
  .option('--queue <name>', `queue, in place of that of the address (default: "${DEFAULT_QUEUE}")`)
  .option('--slots <count>', 'tasks of suites at a time', count, availableParallelism())
  .option('--handlers <module>', 'ES module that exports the handlers of workflows')
  .addHelpText(
    'after',
    `
Any number of workers may poll a queue, on any number of machines; they may come
and go, and die. Workflows and shops are for workers of any version. Tasks of a
suite are for workers of the very build (--version) that started it.

Ctrl-C gives tasks back for others to take; a second one ends the process at once.

Examples:
  $ alas-jssp-temporal worker --address temporal://127.0.0.1:7233
  $ alas-jssp-temporal worker --address temporal://10.0.0.7:7233/default?queue=jobs --slots 8`,
  )
  .action(work);

async function work({ address, queue, slots, handlers }: WorkerOptions): Promise<void> {
  const place = { ...address, queue: queue ?? address.queue };
  const worker = await startWhenThere({ address: place, slots, handlers });
  stderr.write(`build ${buildId()} polls ${formatAddress(place)} with ${slots} slots\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leave(worker));
  await worker.ended;
}

/** Starts a worker as soon as there is a server. */
async function startWhenThere(settings: WorkerSettings): Promise<TemporalWorker> {
  let told = false;
  for (;;) {
    try {
      return await startWorker(settings);
    } catch (error) {
      if (!(error instanceof AlasError) || error.code !== 'no_server') throw error;
      if (!told) stderr.write(`${error.message}; waiting for it\n`);
      told = true;
    }
    await sleep(1000);
  }
}

let isLeaving = false;

function leave(worker: TemporalWorker): void {
  if (isLeaving) process.exit(130);
  isLeaving = true;
  // What it breaks off with is said by whoever waits for its end.
  worker.stop().catch(() => {});
}

function address(text: string): Address {
  try {
    return parseAddress(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('use a whole number from 1.');
  return value;
}

function complain(error: unknown): void {
  const line = error instanceof AlasError ? error.message : String(error).split('\n')[0];
  stderr.write(`error: ${line}\n`);
  // What is still open of a worker that could not start keeps the process from its end.
  process.exit(error instanceof AlasError ? 2 : 1);
}

try {
  await program.parseAsync();
} catch (error) {
  complain(error);
}
