import type { MessagePort } from 'node:worker_threads';
import { AlasError } from '../../core/errors.js';
import type { Answer, Ask } from '../../llm/client.js';
import type { AskWait } from '../../pipeline/planners/question.js';
import { type AskMessage, errorOf, type TaskMessage } from './ask-messages.js';

/** The line from the thread of a task to the main thread. */
export interface AskLine {
  /** Has the main thread make one attempt at an answer. */
  readonly ask: Ask;
  /** Tells it of a wait before another one. */
  onWait(wait: AskWait): void;
  /** Aborted when the search is to end with its best so far. */
  readonly interrupted: AbortSignal;
  /** Aborted when the task is to end at once. */
  readonly stopped: AbortSignal;
}

/** Opens the line; it is over when the port is closed. */
export function openAskLine(port: MessagePort): AskLine {
  const interrupt = new AbortController();
  const stop = new AbortController();
  const waiting = new Map<number, (message: TaskMessage) => void>();
  let last = 0;
  const tell = (message: AskMessage) => port.postMessage(message);

  port.on('message', (message: TaskMessage) => {
    if (message.kind === 'interrupt') interrupt.abort();
    else if (message.kind === 'stop') stop.abort(new AlasError('stopped', message.reason));
    else waiting.get(message.id)?.(message);
  });
  const ask: Ask = (request, { replicate, signal }) =>
    new Promise<Answer>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = ++last;
      const cancel = () => {
        waiting.delete(id);
        tell({ kind: 'cancel', id });
        reject(signal?.reason);
      };
      waiting.set(id, (message) => {
        waiting.delete(id);
        signal?.removeEventListener('abort', cancel);
        if (message.kind === 'answer') resolve(message.answer);
        else if (message.kind === 'failure') reject(errorOf(message.failure));
      });
      signal?.addEventListener('abort', cancel, { once: true });
      tell({ kind: 'ask', id, question: { request, replicate } });
    });
  return {
    ask,
    onWait: (wait) => tell({ kind: 'wait', wait }),
    interrupted: interrupt.signal,
    stopped: stop.signal,
  };
}
