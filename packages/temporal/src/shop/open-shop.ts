import { randomUUID } from 'node:crypto';
import { stderr } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PLAN_COMMAND, type PlanLog } from '@alas-jssp/living-plan';
import { type Json, packageVersion, resultOf } from '@alas-jssp/workflow';
import { foldLog } from '@alas-jssp/workflow/interpreter';
import {
  type Client,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { AlasError, InputError } from 'alas-jssp';
import {
  createShopMemory,
  followShop,
  type NewShop,
  readyShop,
  requireSamePlan,
  type Shop,
  shopHandlers,
} from 'alas-jssp/shop';
import { type Address, parseAddress } from '../address.js';
import { connect } from '../connection.js';
import { isRefusedForNow, isServerAway, patiently } from '../patience.js';
import { watchQueue } from '../watch-queue.js';
import { hearShop } from './hear-shop.js';
import { createLogCopy, type LogCopy } from './log-copy.js';
import type { KeyedMessage, ShopFacts, ShopStart } from './shop-values.js';

/** Where and how a shop is kept on a Temporal server. */
export interface TemporalShopOptions extends Partial<Omit<NewShop, 'embed'>> {
  /** An address such as `temporal://127.0.0.1:7233/default?queue=shops`: workers must poll its queue. */
  readonly address: Address | string;
  /** The id of its workflow. An existing shop of that id is continued. Default `shop`. */
  readonly runId?: string | undefined;
  /** Ends the shop: it is cancelled, and the last version stays. */
  readonly signal?: AbortSignal | undefined;
  /** Detaches from the shop, which continues without this process. */
  readonly detach?: AbortSignal | undefined;
  /**
   * Events of a history after which the shop continues in a new one. Default: when the server
   * suggests it.
   */
  readonly historyEvents?: number | undefined;
  /**
   * Receives, as a line, what is missing during a wait: a server, a worker. Default: the error
   * output.
   */
  readonly onNotice?: ((line: string) => void) | undefined;
}

/**
 * Opens a shop on a Temporal server: a new one, for which `schedule` is required, or that of
 * `runId`, which continues whether it is open or not. Any number of processes may have it open, and
 * receive each other's commands.
 *
 * @throws InputError as `openShop` of `alas-jssp/shop` does: `no_schedule`, `other_instance`, those of `readyShop`;
 *   `bad_address`, `no_shop`
 */
export async function openShop(options: TemporalShopOptions): Promise<Shop> {
  const { runId = 'shop', signal, detach = new AbortController().signal } = options;
  const address =
    typeof options.address === 'string' ? parseAddress(options.address) : options.address;
  const client = await connect(address);
  try {
    const handle = client.workflow.getHandle(runId);
    await startUnlessThere(client, address.queue, runId, options);
    const patient = createPatience(client, handle, address, options);
    const shop = await attach({ ...options, client, handle, runId, detach, patient });
    const over = new AbortController();
    shop.ended.catch(() => {}).finally(() => over.abort());
    const cancel = () => void patiently(() => handle.cancel(), over.signal).catch(() => {});
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    return shop;
  } catch (error) {
    await client.connection.close();
    throw error;
  }
}

async function startUnlessThere(
  client: Client,
  taskQueue: string,
  workflowId: string,
  options: TemporalShopOptions,
): Promise<void> {
  const { schedule, historyEvents } = options;
  if (schedule === undefined) {
    if (await isThere(client.workflow.getHandle(workflowId))) return;
    const problem = `the server has no shop ${workflowId}, and there is no schedule for one`;
    throw new InputError('no_schedule', problem, 'give the schedule to follow');
  }
  const { workflow, input } = readyShop(NO_LOG, { ...options, schedule });
  // An ended shop still exists: its story can be read.
  if (await isThere(client.workflow.getHandle(workflowId))) return;
  const start: ShopStart = {
    workflow: workflow as unknown as Json,
    input: input as unknown as Json,
    seed: 0,
    software: `alas-jssp ${packageVersion()}`,
    historyEvents,
  };
  await client.workflow.start('alasShop', {
    workflowId,
    taskQueue,
    args: [start],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: `living shop ${input.instance.name}`,
  });
}

const NO_LOG: PlanLog = { read: () => [] };

async function isThere(handle: WorkflowHandle): Promise<boolean> {
  try {
    const { type } = await handle.describe();
    if (type === 'alasShop') return true;
    const problem = `${handle.workflowId} on the server is no shop (${type})`;
    throw new InputError('no_shop', problem, 'give another id', {}, handle.workflowId);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

interface Attachment extends TemporalShopOptions {
  readonly client: Client;
  readonly handle: WorkflowHandle;
  readonly runId: string;
  readonly detach: AbortSignal;
  readonly patient: Patient;
}

/** Waits for a promise, and reports what is missing if it takes long. */
type Patient = <T>(wait: () => Promise<T>) => Promise<T>;

/** Time of a wait, in milliseconds, after which the missing part is determined. */
const BEFORE_LOOK = 3000;

function createPatience(
  client: Client,
  handle: WorkflowHandle,
  address: Address,
  { onNotice = (line) => void stderr.write(`${line}\n`) }: TemporalShopOptions,
): Patient {
  return async (wait) => {
    const over = new AbortController();
    const { signal } = over;
    const timer = setTimeout(() => {
      watchQueue(client, { address }, onNotice, signal).catch(() => {});
      void watchProblem(client, handle, onNotice, signal);
    }, BEFORE_LOOK);
    try {
      return await wait();
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  };
}

/** Milliseconds between two checks of a shop for a problem. */
const LOOK = 5000;

/**
 * Reports why a shop is stuck although there is a worker, and when it continues. Ends with
 * `signal`.
 */
async function watchProblem(
  client: Client,
  handle: WorkflowHandle,
  onNotice: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const ask = () => handle.query<ShopFacts>('status');
  for (let said: string | null = null; !signal.aborted; ) {
    const status = await client.connection.withDeadline(Date.now() + LOOK, ask).catch(() => null);
    const problem: string | null = status === null ? said : (status.problem ?? null);
    if (problem !== said && !signal.aborted) {
      onNotice(
        `the shop ${handle.workflowId} ${problem === null ? 'goes on' : `waits: ${problem}`}`,
      );
      said = problem;
    }
    await sleep(LOOK, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Follows an existing shop. */
async function attach(options: Attachment): Promise<Shop> {
  const { client, handle, runId, detach, schedule, patient } = options;
  const follower = followShop(runId);
  const over = new AbortController();
  const signal = AbortSignal.any([detach, over.signal]);
  const log = createLogCopy(client, handle, follower.take, signal);
  await patient(log.catchUp);
  requireSamePlan(follower.story, schedule);
  const memory = createShopMemory(log);
  const registry = shopHandlers({ memory });
  const ended = followToEnd(options, log).then(() =>
    resultOf(foldLog(runId, log.entries), registry),
  );
  const leave = () => {
    over.abort();
    return client.connection.close();
  };
  ended.then(leave, leave);
  const send = async (kind: string, data: Json): Promise<number> => {
    const id = await patient(() => post(handle, runId, detach, kind, data));
    // Its problem is reported later, whatever it is.
    await log.catchUp().catch(() => {});
    return id;
  };
  return follower.open({
    memory,
    ended,
    post: (data) => send('signal', { name: PLAN_COMMAND, data }),
    approve: async (name, by) => void (await send('approve', { name, by })),
    deny: async (name, by, reason) => void (await send('deny', { name, by, reason })),
  });
}

/**
 * Reads entries as they arrive, until the shop has ended. @throws AlasError `shop_ended`,
 * `detached`
 */
async function followToEnd({ client, runId, detach }: Attachment, log: LogCopy): Promise<void> {
  const hear = () => void log.catchUp().catch(() => {});
  const over = new AbortController();
  const left = new Promise<never>((_, reject) => {
    const leave = () =>
      reject(new AlasError('detached', `this process has detached from ${runId}`, runId));
    if (detach.aborted) leave();
    else detach.addEventListener('abort', leave, { once: true, signal: over.signal });
  });
  const toEnd = async () => {
    const last = await hearShop(client, runId, hear, detach);
    await log.catchUp();
    return last;
  };
  const last = await Promise.race([toEnd(), left]).finally(() => over.abort());
  if (log.entries.at(-1)?.eventType === 'EndRun') return;
  const how = last?.replace('workflowExecution', '').toLowerCase();
  throw new AlasError('shop_ended', `the shop ${runId} was ${how} on the server`, last);
}

/** Longest pause before a message is sent again, in milliseconds. */
const LONGEST = 5000;

/**
 * Sends a shop a message; returns its number once the shop waits again. Retries if the server was
 * away, or if the shop is continuing in a new history: the shop recognizes the message by its key.
 */
async function post(
  handle: WorkflowHandle,
  runId: string,
  detach: AbortSignal,
  kind: string,
  data: Json,
): Promise<number> {
  const key = messageKey(data);
  for (let pause = 50; ; pause = Math.min(2 * pause, LONGEST)) {
    try {
      return await handle.executeUpdate<number, [KeyedMessage]>('post', {
        args: [{ kind, data, key }],
      });
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) throw refusal(runId, error);
      const isGone = error instanceof WorkflowNotFoundError;
      if (detach.aborted || !(isGone || isServerAway(error) || isRefusedForNow(error))) throw error;
      if (isGone) await requireRunning(handle, runId);
    }
    await sleep(pause);
  }
}

/**
 * The key by which the shop recognizes a message: the caller's key with the digest of the request,
 * so that a retry of another process is the same message, and another request with that key is not
 * answered by the first.
 */
function messageKey(data: Json): string {
  const command = (data as { readonly data?: { readonly key?: string; readonly digest?: string } })
    .data;
  const { key, digest } = command ?? {};
  return key === undefined ? randomUUID() : `${key} ${digest}`;
}

async function requireRunning(handle: WorkflowHandle, runId: string): Promise<void> {
  const { status } = await handle.describe();
  if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return;
  throw new AlasError('shop_ended', `the shop ${runId} has ended (${status.name})`, status.name);
}

function refusal(runId: string, { cause, message }: WorkflowUpdateFailedError): Error {
  if (!(cause instanceof ApplicationFailure)) return new AlasError('refused', message, runId);
  if (cause.type === 'shop_ended') {
    return new AlasError('shop_ended', `the shop ${runId} has ended`, runId);
  }
  return new InputError('bad_message', cause.message, 'see docs/how-to/shop.md');
}
