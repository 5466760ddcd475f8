import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, type Client } from '@temporalio/client';
import { type Models, openModels, type RunnerModels } from 'alas-jssp/harness';
import {
  type AnswerStore,
  type Ask,
  type Environment,
  LlmError,
  openAnswerTexts,
  requestKey,
} from 'alas-jssp/llm';
import { type BlobRef, getBlob } from '../blobs/blob.js';
import { workerIdentity } from '../build-id.js';
import { patiently } from '../patience.js';
import { type GivenAnswers, openGivenAnswers } from './given-answers.js';
import { type LedgerClient, openLedger } from './ledger-client.js';
import type { SentAnswers, SentModels } from './sent-models.js';

/** The models that the tasks of runs ask from one worker. */
export interface TaskModels {
  /**
   * Prepares the model of a task's planner.
   *
   * @throws ApplicationFailure `MissingKey`, so that another worker tries: this one has no key
   */
  begin(models: SentModels, planner: string, signal: AbortSignal): Promise<BegunModels>;
  close(): void;
}

/** The models of a task. */
export interface BegunModels {
  readonly models: RunnerModels;
  /** Keys of the answers that the task used and the starter of the run does not have. */
  answers(): string[];
}

/** The models of a run that this worker has opened. */
interface RunModels {
  readonly sent: SentModels;
  readonly ledger: LedgerClient;
  readonly given: GivenAnswers;
  readonly answers: SentAnswers;
  /** By planner. */
  readonly opened: Map<string, Promise<Models>>;
}

/** Maximum number of runs whose models a worker has open. */
const RUNS = 4;

/** Milliseconds that a worker without a key keeps a task, so that others get most of them. */
const WITHOUT_KEY = 5_000;

/**
 * Opens the models of a worker: it asks providers itself, with its own keys, when the run's ledger
 * admits it.
 */
export function openTaskModels(
  client: Client,
  queue: string,
  environment?: Environment,
): TaskModels {
  const runs = new Map<string, Promise<RunModels>>();
  const runOf = (sent: SentModels): Promise<RunModels> => {
    const known = runs.get(sent.ledger);
    if (known !== undefined) return known;
    const opening = openRun(client, queue, sent);
    opening.catch(() => runs.delete(sent.ledger));
    runs.set(sent.ledger, opening);
    for (const [oldest, run] of runs) {
      if (runs.size <= RUNS) break;
      runs.delete(oldest);
      run.then(({ ledger }) => ledger.close()).catch(() => {});
    }
    return opening;
  };
  return {
    async begin(sent, planner, signal) {
      const run = await runOf(sent);
      const opening = run.opened.get(planner) ?? openPlanner(client, run, planner, environment);
      run.opened.set(planner, opening);
      try {
        return begun(run, await opening);
      } catch (error) {
        run.opened.delete(planner);
        if (!(error instanceof LlmError && error.code === 'MissingKey')) throw error;
        await complain(run, error, signal);
        throw ApplicationFailure.retryable(ownLine(error), error.code);
      }
    },
    close() {
      for (const run of runs.values()) run.then(({ ledger }) => ledger.close()).catch(() => {});
    },
  };
}

async function openRun(client: Client, queue: string, sent: SentModels): Promise<RunModels> {
  const { run, ledger, budget, lease } = sent;
  return {
    sent,
    ledger: openLedger(client, { workflowId: ledger, budget, lease }),
    given: openGivenAnswers(client, queue, run),
    answers: sent.answers === null ? {} : await readAnswers(client, sent.answers),
    opened: new Map(),
  };
}

async function openPlanner(
  client: Client,
  run: RunModels,
  planner: string,
  environment: Environment | undefined,
): Promise<Models> {
  const { sent, ledger } = run;
  const replay = sent.replays[planner];
  const replayed = replay === undefined ? null : await readAnswers(client, replay);
  return openModels([planner], {
    prices: sent.prices,
    budget: sent.budget,
    environment,
    shared: {
      admissionOf: (provider) => ledger.admissionOf(provider),
      storeOf: () =>
        replayed === null
          ? storeOf(run, planner)
          : openAnswerTexts(replayed, planner.replace(/^replay:|#.*/g, ''), sent.replayed[planner]),
      replayed: sent.replayed,
      spent: async () => (await ledger.report()).spent,
    },
  });
}

/** The answers of a run: those from its start, and later ones. */
function storeOf({ answers, given }: RunModels, planner: string): AnswerStore {
  const there = openAnswerTexts(answers, 'the answers of the run', planner);
  return {
    shared: true,
    async find(request, replicate) {
      const known = await there.find(request, replicate);
      if (known !== null) return known;
      const found = await given.find(requestKey(request, replicate));
      return found && { ...found.answer, stored: true };
    },
    keep: (request, replicate, answer) =>
      given.keep(requestKey(request, replicate), { planner, request, replicate, answer }),
    missing: there.missing,
  };
}

/** The models of one task: its requests, its answers, and its refusals. */
function begun({ sent, answers }: RunModels, opened: Models): BegunModels {
  const got = new Set<string>();
  let stopped: string | null = null;
  const keeping =
    (ask: Ask): Ask =>
    async (request, context) => {
      const answer = await ask(request, context);
      const key = requestKey(request, context.replicate);
      if (!(key in answers)) got.add(key);
      return answer;
    };
  return {
    models: {
      askFor: (planner) =>
        planner in sent.replays ? opened.askFor(planner) : keeping(opened.askFor(planner)),
      // The ledger reports waits.
      onWait: () => {},
      onBudgetSpent: (limit) => {
        stopped ??= limit;
      },
      stopped: () => stopped,
      replayed: sent.replayed,
    },
    answers: () => [...got],
  };
}

async function readAnswers(client: Client, ref: BlobRef): Promise<SentAnswers> {
  const bytes = await patiently(() => getBlob(client, ref));
  return JSON.parse(Buffer.from(bytes).toString()) as SentAnswers;
}

/** Reports to the run's starter that this worker has no key, and keeps the task for a while. */
async function complain({ ledger }: RunModels, error: Error, signal: AbortSignal): Promise<void> {
  await ledger.note(workerIdentity(), ownLine(error));
  await sleep(WITHOUT_KEY, undefined, { signal }).catch(() => {});
}

function ownLine({ message }: Error): string {
  return `worker ${workerIdentity()}: ${message}`;
}
