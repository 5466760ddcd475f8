import { createHash, randomUUID } from 'node:crypto';
import {
  type FaultsSpec,
  fillFaults,
  fillWorkflow,
  packageVersion,
  type RunResult,
  requireRunOptions,
  requireSoundWorkflow,
  type Workflow,
} from '@alas-jssp/workflow';
import {
  canonicalJson,
  decodeLogged,
  type Json,
  type LogEntry,
  withDefaults,
} from '@alas-jssp/workflow/interpreter';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { AlasError, InputError } from 'alas-jssp';
import { type Address, parseAddress } from '../address.js';
import { connect } from '../connection.js';
import { patiently } from '../patience.js';
import { exportRun } from './export-history.js';
import { followRun } from './follow-run.js';
import type { RunFunction, RunStart } from './protocol.js';

/** Settings of a run on a Temporal server; its handlers are on the workers. */
export interface TemporalRunOptions {
  /** An address such as `temporal://127.0.0.1:7233/default?queue=refunds`: workers must poll its queue. */
  readonly address: Address | string;
  /** Default: a connection of its own for this call. */
  readonly client?: Client | undefined;
  /** Default: the name of the workflow and a random number. */
  readonly runId?: string | undefined;
  /** The seed from which all randomness of the run derives. Default 0. */
  readonly seed?: number | undefined;
  /** Cancels the run: waits until its effects are undone. */
  readonly signal?: AbortSignal | undefined;
  /** Approvals given in advance: the approver by name of the approval. */
  readonly approvals?: Readonly<Record<string, string>> | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Faults to inject. */
  readonly inject?: FaultsSpec | undefined;
  /** Runs a workflow although the checker finds errors in it. */
  readonly unchecked?: boolean | undefined;
  /** Whether a run of that id, of the same workflow and input, is joined. Default true. */
  readonly attach?: boolean | undefined;
  /**
   * Waits until the run has ended, instead of returning WAITING when only a message can continue
   * it. Default false.
   */
  readonly stay?: boolean | undefined;
  /** Seconds without a sign of life after which the worker of a step counts as lost. Default 30. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Seconds for which a run in doubt, or that could not be undone, accepts messages. Default 30
   * days.
   */
  readonly openSeconds?: number | undefined;
  /** Events after which a run continues in a new history. Default: when the server suggests it. */
  readonly renewAfter?: number | undefined;
  /**
   * Receives, as a line, what is missing during the wait: a server, a worker, its handlers.
   * Default: none.
   */
  readonly onNotice?: ((line: string) => void) | undefined;
}

/**
 * Runs a workflow on a Temporal server, or joins the run of that id. The workflow and its options
 * are sent to the server; the handlers are those of the workers on the queue.
 *
 * @returns as `runWorkflow` of `@alas-jssp/workflow`; values are as the log holds them
 * @throws AlasError `run_exists` if the run of that id has another workflow or another input;
 *   `run_terminated` if it was ended on the server; `bad_registry`, `bad_workflow`, InputError
 *   `bad_input`, `bad_option` as the embedded host; `bad_address`
 */
export async function runWorkflow(
  given: Workflow,
  input: unknown,
  options: TemporalRunOptions,
): Promise<RunResult> {
  if (options?.address === undefined) {
    const hint = 'give one, such as temporal://127.0.0.1:7233/default?queue=refunds';
    throw new InputError('bad_option', 'the options name no address', hint);
  }
  const workflow = fillWorkflow(given);
  const address =
    typeof options.address === 'string' ? parseAddress(options.address) : options.address;
  const { attach = true, client = await connect(address) } = options;
  const asked = new Set<Promise<unknown>>();
  try {
    requireOptions(options);
    // A rejection by the server would use up the id for good.
    if (!options.unchecked) requireSoundWorkflow(workflow);
    const start = startOf(workflow, input as Json, options);
    const handle = await patiently(() => startOrJoin(client, address, start, attach));
    return await followRun(handle, { ...options, address, client }, asked);
  } finally {
    if (options.client === undefined) closeAfter(client, asked);
  }
}

/** Maximum bytes of an id: the default of servers. */
const LONGEST_ID = 1000;

/** Rejects options with which no run could end. @throws InputError `bad_option` */
function requireOptions(options: TemporalRunOptions): void {
  const { runId = '', openSeconds, renewAfter } = options;
  requireRunOptions(options);
  for (const [name, value] of Object.entries({ openSeconds, renewAfter })) {
    if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
    throw new InputError('bad_option', `${name} is ${value}`, 'give a number from 0');
  }
  const isText = Buffer.from(runId).toString() === runId;
  if (isText && Buffer.byteLength(runId) <= LONGEST_ID) return;
  const hint = `give a text of ${LONGEST_ID} bytes at most, in order as Unicode`;
  throw new InputError('bad_option', 'the server takes no such id of a run', hint, {}, runId);
}

/**
 * Closes a connection when all its requests have been answered or aborted: the SDK retries failed
 * requests after a pause, and throws an uncaught error if the connection is closed by then.
 */
function closeAfter(client: Client, asked: Iterable<Promise<unknown>>): void {
  void Promise.allSettled(asked).then(() => client.connection.close());
}

function startOf(workflow: Workflow, input: Json, options: TemporalRunOptions): RunStart {
  const { runId, seed = 0, approvals = {}, maxConcurrency, inject, unchecked } = options;
  const { leaseSeconds = 30, openSeconds = 30 * 86_400 } = options;
  canonicalJson(input);
  const filled = withDefaults(workflow, workflow.io.input, decodeLogged(input)).json();
  return {
    runId: runId ?? `${workflow.name}-${randomUUID().slice(0, 8)}`,

    workflow,
    input: filled,
    seed,
    approvals,
    maxConcurrency,
    unchecked,
    leaseSeconds,
    openSeconds,
    within: [],
    renewAfter: options.renewAfter,
    software: `alas-jssp ${packageVersion()}`,
    inject: inject && fillFaults(inject),
  };
}

/** Starts a run under its id, or returns the existing one. */
async function startOrJoin(
  client: Client,
  { queue }: Address,
  start: RunStart,
  attach: boolean,
): Promise<WorkflowHandle> {
  const { runId, workflow } = start;
  const memo = { workflow: checksum(workflow), input: checksum(start.input) };
  try {
    return await client.workflow.start<RunFunction>('alasRun', {
      workflowId: runId,
      taskQueue: queue,
      args: [start],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: workflow.name,
      memo,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    if (!attach) throw runExists(runId, 'there is a run of that id');
    const handle = client.workflow.getHandle(runId);
    const there = await handle.describe();
    if (there.type !== 'alasRun') throw runExists(runId, 'it is no run of a workflow');
    for (const part of ['workflow', 'input'] as const) {
      if (there.memo?.[part] !== memo[part]) throw runExists(runId, `it has another ${part}`);
    }
    return handle;
  }
}

function checksum(json: unknown): string {
  return createHash('sha256').update(canonicalJson(json)).digest('hex');
}

function runExists(runId: string, why: string): AlasError {
  const message = `the server has a run ${runId} (${why}); give another id`;
  return new AlasError('run_exists', message, runId);
}

/** The log of a run, as its workflow holds it now. @throws without a worker that has it */
export async function readEntries(handle: WorkflowHandle): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (;;) {
    const from = (entries.at(-1)?.version ?? -1) + 1;
    const page = await handle.query<readonly LogEntry[], [number]>('entries', from);
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}

/**
 * Runs a workflow for the command line: at an address as text, with its final log.
 *
 * @throws as {@link runWorkflow}; InputError `bad_address`; AlasError `no_server`
 */
export async function runWorkflowAt(
  address: string,
  workflow: Workflow,
  input: unknown,
  options: Omit<TemporalRunOptions, 'address' | 'client'>,
): Promise<{ readonly result: RunResult; readonly entries: readonly LogEntry[] }> {
  const place = parseAddress(address);
  const client = await connect(place);
  try {
    const result = await runWorkflow(workflow, input, { ...options, address: place, client });
    return { result, entries: await exportRun(client, result.runId) };
  } finally {
    await client.connection.close();
  }
}
