import type { Json, LogEntry, NewEntry } from '@alas-jssp/workflow';
import {
  type Call,
  type CallAnswer,
  type Calling,
  decodeLogged,
  type Host,
} from '@alas-jssp/workflow/interpreter';
import { CancellationScope, proxyLocalActivities, sleep } from '@temporalio/workflow';
import { digest } from '../run/temporal-host.js';
import { createTimers } from '../run/timers.js';
import type { ShopActivities, ShopMessage, ShopStep, ShopStepAnswer } from './shop-values.js';

const { alasShopStep } = proxyLocalActivities<ShopActivities>({
  // The policy of a repair sets its time limit.
  startToCloseTimeout: '7 days',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '100 ms', maximumInterval: '10 s' },
});

/** The environment of a shop as its host sees it. */
export interface ShopWorld {
  readonly runId: string;
  /** Adds entries to the log. */
  append(entries: readonly NewEntry[]): readonly LogEntry[];
  /** Messages with numbers above. */
  messages(after: number): readonly ShopMessage[];
  /** The part of a step request that does not depend on the call. */
  readonly common: () => Pick<ShopStep, 'runId' | 'chain' | 'version' | 'sha256'>;
  /** The data that a cold worker needs. */
  log(): NonNullable<ShopStep['log']>;
  /** Receives every answer before the interpreter does. */
  note(answer: Extract<ShopStepAnswer, { status: 'value' }>): void;
  /** Receives the reason why a step is not made, and null when it is. */
  noteProblem(problem: string | null): void;
}

/**
 * Pauses before a worker that makes other versions is asked again, in milliseconds: the first and
 * the longest.
 */
const [PAUSE, LONGEST_PAUSE] = [5_000, 300_000];

/**
 * The host of a shop in the sandbox of a workflow: its log is in memory, and Temporal stores the
 * answers of its steps, from which all else follows. Steps of shops have no effects, so that there
 * is nothing to claim, to undo or to ask about.
 *
 * @param shield scope that is never cancelled: a shop that is cancelled ends by its own rules
 */
export function createShopHost(world: ShopWorld, shield: CancellationScope): Host {
  const { runId } = world;
  return {
    runId,
    now: () => Date.now(),
    at: createTimers(shield),
    digest,
    append: (entries) => world.append(entries),
    call: (call) => callStep(world, shield, call),
    handlerOf: () => ({ pure: true, outputValidator: false, inputValidator: false }),
    decode: (_, __, json) => decodeLogged(json),
    encodeInput: (_, input) => input.json(),
    claimOf: () => undefined,
    messages: (after) => world.messages(after).map((message) => ({ ...message, runId })),
    post() {},
    alert() {},
  };
}

function callStep(world: ShopWorld, shield: CancellationScope, call: Call): Calling {
  if (call.kind !== 'handler') throw new Error(`shops have no ${call.kind}`);
  const { task, path, attempt, seed, input, feedback, repair } = call;
  const step: ShopStep = {
    ...world.common(),
    handler: task.handler ?? task.id,
    path,
    attempt,
    seed,
    input: input.json(),
    params: task.params ?? {},
    repair: repair as Json | undefined,
    feedback,
  };
  const scope = new CancellationScope({ cancellable: true, parent: shield });
  const ask = async (): Promise<CallAnswer> => {
    let answer = await askWorker(world, step);
    for (let pause = PAUSE; answer.status === 'damaged'; ) {
      world.noteProblem(answer.problem);
      await sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      answer = await askWorker(world, step);
    }
    world.noteProblem(null);
    for (const entry of answer.own) call.log(...entry);
    if (answer.status === 'error') {
      const { message, ...rest } = answer.error;
      return { status: 'error', error: Object.assign(new Error(message), rest) };
    }
    world.note(answer);
    return { status: 'value', value: decodeLogged(answer.output) };
  };
  return { answer: scope.run(ask), abort: () => scope.cancel() };
}

/** Asks a worker for a step; a cold one again, with the log. */
async function askWorker(world: ShopWorld, step: ShopStep): Promise<WarmAnswer> {
  let answer = await alasShopStep(step);
  if (answer.status === 'cold') answer = await alasShopStep({ ...step, log: world.log() });
  if (answer.status === 'cold') throw new Error('a worker that has the log of a shop is cold');
  return answer;
}

type WarmAnswer = Exclude<ShopStepAnswer, { status: 'cold' }>;
