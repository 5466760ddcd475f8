import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { stderr } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { AlasError, InputError } from 'alas-jssp';
import { Command, InvalidArgumentError } from 'commander';
import { type Address, DEFAULT_QUEUE, formatAddress, parseAddress } from './address.js';
import { buildId } from './build-id.js';
import { connect, fileConverter } from './connection.js';
import { exportHistory, exportRun, HISTORY_HINT, writeLog } from './run/export-history.js';
import { startWorker, type TemporalWorker, type WorkerSettings } from './worker.js';

interface WorkerOptions {
  readonly address: Address;
  readonly queue?: string;
  readonly slots: number;
  readonly handlers?: string;
}

const program = new Command('alas-jssp-temporal')
  .description('Runs, workflows and living shops of alas-jssp on a Temporal server.')
  .version(buildId(), '-V, --version', 'the build: version and checksum of its code');

program
  .command('worker')
  .description('take tasks of suites, workflows and shops from a queue, until Ctrl-C')
  .requiredOption('--address <address>', 'temporal://HOST:PORT/NAMESPACE?queue=NAME', address)
  .option(
    '--queue <name>',
    `queue, in place of that of the address ("${DEFAULT_QUEUE}" if neither names one)`,
  )
  .option('--slots <count>', 'tasks of suites at a time', count, availableParallelism())
  .option('--handlers <module>', 'ES module with the handlers of workflows, or folder of a draft')
  .addHelpText(
    'after',
    `
Any number of workers may poll a queue, on any number of machines; they may come
and go, and die. Workflows and shops are for workers of any version. Tasks of a
suite are for workers of the very build (--version) that started it.

Ctrl-C gives tasks back for others to take; a second one ends the process at once.

Examples:
  $ alas-jssp-temporal worker --address temporal://127.0.0.1:7233
  $ alas-jssp-temporal worker --address temporal://127.0.0.1:7233 --handlers refund.mjs
  $ alas-jssp-temporal worker --address 'temporal://10.0.0.7:7233/default?queue=jobs' --slots 8`,
  )
  .action(work);

program
  .command('export')
  .description('write the log of a run, from its history, as alas-jssp log reads it')
  .option('--address <address>', 'temporal://HOST:PORT/NAMESPACE', address)
  .option('--run <id>', 'id of the run')
  .option('--history <file>', 'a history in JSON; with --address, large values come from there')
  .requiredOption('--out <file>', 'exported log, JSON Lines')
  .addHelpText(
    'after',
    `
The run is made again from its history, and nothing is called: no worker need be
there. The histories of a run that continued in several are joined.

Examples:
  $ alas-jssp-temporal export --address temporal://127.0.0.1:7233 --run A-7 --out A-7.log
  $ temporal workflow show -w A-7 --output json > A-7.json
  $ alas-jssp-temporal export --history A-7.json --out A-7.log
  $ alas-jssp log verify A-7.log`,
  )
  .action(exportLogOf);

interface ExportOptions {
  readonly address?: Address;
  readonly run?: string;
  readonly history?: string;
  readonly out: string;
}

async function exportLogOf({ address: place, run, history, out }: ExportOptions): Promise<void> {
  if (history !== undefined) {
    return exportFile(history, place, out);
  }
  if (place === undefined || run === undefined) {
    const hint = 'name --address and --run, or --history';
    throw new InputError('bad_option', 'no run is named', hint);
  }
  const client = await connect(place);
  try {
    await writeLog(await exportRun(client, run), out);
  } finally {
    await client.connection.close();
  }
}

/**
 * Writes the log of a history into a file; values too large for a history come from the server, if
 * one is named.
 */
async function exportFile(file: string, place: Address | undefined, out: string): Promise<void> {
  const history = readHistory(file);
  const client = place && (await connect(place));
  try {
    const converter = client?.options.dataConverter ?? fileConverter();
    await writeLog(await exportHistory(history, converter), out);
  } finally {
    await client?.connection.close();
  }
}

function readHistory(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const problem = `no history can be read here: ${(error as Error).message}`;
    throw new InputError('bad_history', problem, HISTORY_HINT, { file });
  }
}

async function work({ address, queue, slots, handlers }: WorkerOptions): Promise<void> {
  const place = { ...address, queue: queue ?? address.queue };
  const worker = await startWhenThere({ address: place, slots, handlers });
  stderr.write(`build ${buildId()} polls ${formatAddress(place)} with ${slots} slots\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leave(worker));
  await worker.ended;
}

/** Starts a worker as soon as there is a server. */
async function startWhenThere(settings: WorkerSettings): Promise<TemporalWorker> {
  let reported = false;
  for (;;) {
    try {
      return await startWorker(settings);
    } catch (error) {
      if (!(error instanceof AlasError) || error.code !== 'no_server') throw error;
      if (!reported) stderr.write(`${error.message}; waiting for it\n`);
      reported = true;
    }
    await sleep(1000);
  }
}

let isLeaving = false;

function leave(worker: TemporalWorker): void {
  if (isLeaving) process.exit(130);
  isLeaving = true;
  // The waiter for its end reports its error.
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
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
  stderr.write(`error: ${line}\n`);
  // Open handles of a worker that could not start keep the process alive.
  process.exit(error instanceof AlasError ? 2 : 1);
}

try {
  await program.parseAsync();
} catch (error) {
  complain(error);
}
