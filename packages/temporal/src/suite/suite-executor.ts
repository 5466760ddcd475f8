import { AlasError } from 'alas-jssp';
import {
  bundleOf,
  type Executor,
  isCutShort,
  lostTask,
  manifestSpending,
  modelBundleOf,
  openTasks,
  type TaskResult,
  type WorkEnd,
} from 'alas-jssp/harness';
import { type Address, parseAddress } from '../address.js';
import { getBlob } from '../blobs/blob.js';
import { taskQueue } from '../build-id.js';
import { connect } from '../connection.js';
import { followLedger, lastReport } from '../models/follow-ledger.js';
import { openGivenAnswers } from '../models/given-answers.js';
import { isNotFound, patiently } from '../patience.js';
import { watchQueue } from '../watch-queue.js';
import {
  followSuite,
  readSuiteInput,
  type SuiteFollowed,
  type TaskListener,
} from './follow-suite.js';
import { checksumOf, type Suite, startSuite, suiteId } from './start-suite.js';
import type { SuiteInput } from './suite-workflow.js';
import type { TaskOutput } from './task-activities.js';

/** Settings of an executor of suites. */
export interface SuiteSettings {
  /** Tasks of a slice: a workflow of its own, whose history has their results. */
  readonly slice?: number | undefined;
  /** Concurrent slices: their tasks should outnumber all workers' slots. */
  readonly window?: number | undefined;
  /** Seconds after which the budget of a dead worker is returned. Default: 60. */
  readonly lease?: number | undefined;
}

const SLICE = 200;
const WINDOW = 5;

/** How long a cancelled run may take to end, in milliseconds. */
const ENDING = 20_000;

/** Maximum number of futile restarts of missing tasks, if slices were ended from outside. */
const MAX_RESTARTS = 3;

/** An executor whose tasks are performed by the workers of a queue. */
export function createTemporalExecutor(
  address: string | Address,
  { slice = SLICE, window = WINDOW, lease }: SuiteSettings = {},
): Executor {
  const place = typeof address === 'string' ? parseAddress(address) : address;
  return {
    async prepare(job) {
      const bundle = bundleOf(job);
      modelBundleOf(job);
      const client = await connect(place);
      return {
        async execute(work) {
          const suite = { client, place, job, bundle, work, slice, window, lease, spent: null };
          return executeSuite(suite).finally(() => client.connection.close());
        },
      };
    },
  };
}

/** Stops waiting for the end of a run on the server. */
const GIVEN_UP = new AlasError('given_up', 'the end of the run is not waited for');

async function executeSuite(suite: Suite): Promise<WorkEnd> {
  const { client, place, job } = suite;
  const leave = new AbortController();
  const tasks = taskQueue(place.queue);
  const watching = watchQueue(client, { address: place, tasks }, job.onNotice, leave.signal);
  watching.catch((error: unknown) => leave.abort(error));
  const forget = cancelOnSignal(suite, leave);
  try {
    const stopped = await performOpen(suite, leave.signal);
    return { stopped, spent: suite.spent && manifestSpending(suite.spent) };
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    return { stopped: null, spent: suite.spent && manifestSpending(suite.spent) };
  } finally {
    forget();
    leave.abort();
    await watching.catch(() => {});
  }
}

/**
 * Performs the open tasks of a run: collects existing results from the server, and starts the
 * missing ones.
 *
 * @returns why tasks are left, if not because the run was aborted
 */
async function performOpen(suite: Suite, signal: AbortSignal): Promise<string | null> {
  const { job, bundle, work } = suite;
  const open = new Set(openTasks(bundle, work.done));
  const listener = listenerOf(suite, open);
  const isOver = () => open.size === 0 || job.signal?.aborted === true;
  if (isOver()) return null;
  let stopped = await attach(suite, listener, signal);
  for (let vain = 0; !isOver() && stopped === null; ) {
    if (vain === MAX_RESTARTS) throw lostTasks(open.size, suiteId(suite));
    const before = open.size;
    const ledger = await startSuite(suite, open, signal);
    const end = await followWithLedger(suite, ledger, listener, signal);
    stopped = whyStopped(end);
    vain = open.size < before ? 0 : vain + 1;
  }
  return isOver() ? null : stopped;
}

/**
 * Collects the results of an earlier run on the server: follows it if it is still in progress.
 *
 * @returns why it stopped while it was followed; null if missing tasks shall be started
 */
async function attach(
  suite: Suite,
  listener: TaskListener,
  signal: AbortSignal,
): Promise<string | null> {
  const { client, job, place, bundle } = suite;
  const handle = client.workflow.getHandle(suiteId(suite));
  const found = await findRun(suite, signal);
  if (found === undefined) return null;
  const { input, isRunning, isCancelled } = found;
  if (input.run !== checksumOf(bundle)) return null;
  const isOurs = input.tasks === taskQueue(place.queue);
  if (isRunning && !isOurs) {
    const build = input.tasks.slice(place.queue.length + 1);
    job.onNotice(`build ${build} began this run: it is ended there, and this build continues it`);
    await patiently(() => handle.cancel(), signal);
  }
  const goesOn = isRunning && isOurs && !isCancelled;
  const receiver = goesOn ? listener : finalOnly(suite, listener);
  const ledger = goesOn || isRunning ? input.ledger?.workflowId : undefined;
  const end = await followWithLedger(suite, ledger, receiver, signal);
  return goesOn ? whyStopped(end) : null;
}

/** The newest run of a suite on the server, open or closed. */
async function findRun(
  suite: Suite,
  signal: AbortSignal,
): Promise<{ input: SuiteInput; isRunning: boolean; isCancelled: boolean } | undefined> {
  const { client } = suite;
  const workflowId = suiteId(suite);
  try {
    const { status, raw } = await patiently(
      () => client.workflow.getHandle(workflowId).describe(),
      signal,
    );
    const input = await readSuiteInput(client, { workflowId }, signal);
    const isCancelled = raw.workflowExtendedInfo?.cancelRequested === true;
    return input && { input, isRunning: status.name === 'RUNNING', isCancelled };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Follows a suite, and reports the notes of its models' ledger; books their usage. */
async function followWithLedger(
  suite: Suite,
  ledger: string | undefined,
  listener: TaskListener,
  signal: AbortSignal,
): Promise<SuiteFollowed> {
  const { client, job } = suite;
  const follow = () => followSuite(client, { workflowId: suiteId(suite) }, listener, signal);
  if (ledger === undefined) return follow();
  const leave = new AbortController();
  const following = followLedger(client, ledger, job, AbortSignal.any([signal, leave.signal]));
  try {
    return await follow();
  } finally {
    leave.abort();
    await following;
    const report = signal.aborted ? null : await lastReport(client, ledger);
    suite.spent = report?.spent ?? suite.spent;
  }
}

/** Takes the results of a run, each task once. */
function listenerOf(suite: Suite, open: Set<number>): TaskListener {
  const { bundle, work } = suite;
  const take = (index: number, result: TaskResult): void => {
    if (!open.has(index)) return;
    if (result.records.length > 0) open.delete(index);
    work.take(result);
  };
  return {
    async onResult(index, output) {
      if (open.has(index)) take(index, await openResult(suite, output));
    },
    onLost: (index, reason) => take(index, lostTask(bundle, index, reason)),
  };
}

/** Of a run that is over, failed and interrupted tasks are repeated, as when threads resume it. */
function finalOnly(suite: Suite, { onResult }: TaskListener): TaskListener {
  return {
    async onResult(index, output) {
      const { stopped } = output;
      const result = await openResult(suite, output);
      const isFinal = result.records.every(
        (record) => record.status !== 'error' && !isCutShort(record),
      );
      if (isFinal) await onResult(index, { stopped, result });
    },
    onLost: () => {},
  };
}

/** The result of a task, with its answers from models. */
async function openResult(
  { client, place, work }: Suite,
  { result: given, answers = [] }: TaskOutput,
): Promise<TaskResult> {
  let result = given;
  if ('sha256' in result) {
    const ref = result;
    const bytes = await patiently(() => getBlob(client, ref));
    result = JSON.parse(Buffer.from(bytes).toString()) as TaskResult;
  }
  const stored = openGivenAnswers(client, place.queue, work.id);
  const found = await Promise.all(answers.map((key) => stored.find(key)));
  return { ...result, answers: [...result.answers, ...found.filter((one) => one !== null)] };
}

/**
 * Cancels a run on the server when it is aborted here; waits for its end there, but not for ever.
 */
function cancelOnSignal(suite: Suite, leave: AbortController): () => void {
  const { client, job } = suite;
  let patience: NodeJS.Timeout | undefined;
  const cancel = () => {
    patience = setTimeout(() => {
      job.onNotice(
        'the server has not ended the run yet: what it still does is there for --resume',
      );
      leave.abort(GIVEN_UP);
    }, ENDING);
    const handle = client.workflow.getHandle(suiteId(suite));
    // It may be over, or not have begun.
    patiently(() => handle.cancel(), leave.signal).catch(() => {});
  };
  if (job.signal?.aborted) return () => {};
  job.signal?.addEventListener('abort', cancel, { once: true });
  return () => {
    clearTimeout(patience);
    job.signal?.removeEventListener('abort', cancel);
  };
}

/** The reason why a run that ended left tasks; null if it was ended unintentionally. */
function whyStopped({ status, stopped }: SuiteFollowed): string | null {
  const isEnded = status === 'cancelled' || status === 'failed';
  return stopped ?? (isEnded ? 'it was ended on the server' : null);
}

function lostTasks(count: number, workflowId: string): AlasError {
  return new AlasError(
    'lost_tasks',
    `${count} tasks did not come to an end after ${MAX_RESTARTS} restarts: see ${workflowId} on the page of the server`,
    count,
  );
}
