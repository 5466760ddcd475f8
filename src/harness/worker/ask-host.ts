import type { MessagePort } from 'node:worker_threads';
import type { Ask } from '../../llm/client.js';
import { createLedger, type Usage } from '../../llm/usage.js';
import type { AskWait } from '../../pipeline/planners/question.js';
import {
  type AskMessage,
  describeFailure,
  type Question,
  type TaskMessage,
} from './ask-messages.js';

/** Answers the questions of one task, in the main thread. */
export interface AskHost {
  /** What its answers took so far: all that is known of a task whose thread is lost. */
  spent(): Usage;
  /** Whether a question was refused because the budget of the run is spent. */
  ranOut(): boolean;
  /** Breaks off what is being asked. */
  end(): void;
}

/**
 * Listens for the questions of a task: keys, limits, budgets and stored answers stay in the main
 * thread, which all tasks share.
 *
 * @param ask makes one attempt a call
 */
export function hostQuestions(
  port: MessagePort,
  ask: Ask,
  onWait: (wait: AskWait) => void,
): AskHost {
  const ledger = createLedger(ask);
  const asking = new Map<number, AbortController>();
  let ranOut = false;

  const answer = async (id: number, { request, replicate }: Question): Promise<TaskMessage> => {
    const controller = new AbortController();
    asking.set(id, controller);
    try {
      const given = await ledger.ask(request, { replicate, signal: controller.signal });
      return { kind: 'answer', id, answer: given };
    } catch (error) {
      const failure = describeFailure(error);
      if (failure.code === 'BudgetSpent') ranOut = true;
      return { kind: 'failure', id, failure };
    } finally {
      asking.delete(id);
    }
  };
  port.on('message', async (message: AskMessage) => {
    if (message.kind === 'wait') onWait(message.wait);
    else if (message.kind === 'cancel') asking.get(message.id)?.abort();
    else port.postMessage(await answer(message.id, message.question));
  });
  return {
    spent: ledger.read,
    ranOut: () => ranOut,
    end: () => {
      for (const controller of asking.values()) controller.abort();
    },
  };
}
