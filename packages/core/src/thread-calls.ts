import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { AlasError, errorLine } from './errors.js';
import { packError, type SentError, unpackError } from './sent-error.js';

/**
 * Functions of another thread, as this one calls them. Arguments and results are cloned, errors keep their class (see
 * `restoreErrorsOf`). An object among the arguments may have functions and AbortSignals as properties, which work from
 * the other thread until the call has ended:
 *
 * - a function returns a promise there,
 * - a function whose name begins with `on` is a listener: nothing returns, not even an error,
 * - a signal is aborted there, too, with its reason; if its name is `signal`, the call is rejected without waiting.
 */
export type Calls<F> = {
  readonly [K in keyof F]: F[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

type AnyFunction = (...args: unknown[]) => unknown;

/** A function or a signal that was a property of an argument. */
interface Link {
  readonly arg: number;
  readonly key: string;
  readonly number: number;
  readonly kind: 'function' | 'listener' | 'signal';
  /** Of a signal that is aborted already. */
  readonly reason?: SentError | undefined;
}

/** A call of a function of the thread, by its name, or of one that came as an argument, by its number. */
interface SentCall {
  readonly kind: 'call';
  /** Null for listeners, which have no result. */
  readonly number: number | null;
  readonly of: string | number;
  readonly args: unknown[];
  readonly links: readonly Link[];
}

type Message =
  | SentCall
  | { readonly kind: 'result'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly number: number; readonly error: SentError }
  /** Of a signal. */
  | { readonly kind: 'abort'; readonly number: number; readonly reason: SentError };

/** A call that waits for its answer. */
interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** One end of the calls between two threads. */
export interface Connection<F> {
  readonly calls: Calls<F>;
  /** Rejects all calls in progress, and those to come. */
  end(error: Error): void;
}

/**
 * Connects functions of this thread with those of another one.
 *
 * @param own the functions that the other thread may call
 * @param onBusy notified of the first call in progress (true), and of the end of the last one (false)
 */
export function connect<F extends object>(
  port: MessagePort,
  own: object = {},
  onBusy: (isBusy: boolean) => void = () => {},
): Connection<F> {
  const pending = new Map<number, Pending>();
  const lent = new Map<number, AnyFunction>();
  const controllers = new Map<number, AbortController>();
  let last = 0;
  let over: Error | undefined;
  const post = (message: Message) => port.postMessage(message);

  const lend = (given: readonly unknown[], abandon: (reason: unknown) => void) => {
    const links: Link[] = [];
    let ended: AbortController | undefined;
    const args = given.map((value, arg) => {
      if (!isPlain(value)) return value;
      const data = { ...value };
      for (const [key, part] of Object.entries(value)) {
        if (typeof part !== 'function' && !(part instanceof AbortSignal)) continue;
        delete data[key];
        const number = ++last;
        if (typeof part === 'function') {
          lent.set(number, part as AnyFunction);
          links.push({ arg, key, number, kind: key.startsWith('on') ? 'listener' : 'function' });
          continue;
        }
        const reason = part.aborted ? packError(part.reason) : undefined;
        links.push({ arg, key, number, kind: 'signal', reason });
        const abort = () => {
          post({ kind: 'abort', number, reason: packError(part.reason) });
          if (key === 'signal') abandon(part.reason);
        };
        ended ??= new AbortController();
        part.addEventListener('abort', abort, { once: true, signal: ended.signal });
      }
      return data;
    });
    const takeBack = () => {
      ended?.abort();
      for (const { number } of links) lent.delete(number);
    };
    return { args, links, takeBack };
  };

  const call = async (of: string | number, given: readonly unknown[]): Promise<unknown> => {
    if (over !== undefined) throw over;
    const signals = given.flatMap((value) => (isPlain(value) ? value.signal : undefined));
    const signal = signals.find((one) => one instanceof AbortSignal);
    signal?.throwIfAborted();
    const number = ++last;
    const abandon = (reason: unknown) => pending.get(number)?.reject(reason);
    const { args, links, takeBack } = lend(given, abandon);
    try {
      return await new Promise<unknown>((resolve, reject) => {
        pending.set(number, { resolve, reject });
        if (pending.size === 1) onBusy(true);
        post({ kind: 'call', number, of, args, links });
      });
    } finally {
      takeBack();
      pending.delete(number);
      if (pending.size === 0) onBusy(false);
    }
  };

  const borrow = ({ args, links }: SentCall): unknown[] => {
    for (const { arg, key, number, kind, reason } of links) {
      const owner = args[arg] as Record<string, unknown>;
      if (kind === 'function') owner[key] = (...given: unknown[]) => call(number, given);
      else if (kind === 'listener') {
        owner[key] = (...given: unknown[]) =>
          post({ kind: 'call', number: null, of: number, args: given, links: [] });
      } else {
        const controller = new AbortController();
        if (reason === undefined) controllers.set(number, controller);
        else controller.abort(unpackError(reason));
        owner[key] = controller.signal;
      }
    }
    return args;
  };

  const postFailure = (number: number, error: SentError): void => {
    try {
      post({ kind: 'failure', number, error });
    } catch {
      // One of its fields cannot be cloned.
      const { code } = error.fields;
      post({ kind: 'failure', number, error: { ...error, fields: { code } } });
    }
  };

  const answer = async (sent: SentCall, number: number, called: AnyFunction | undefined) => {
    try {
      if (called === undefined) throw new AlasError('call_over', 'this call has ended');
      post({ kind: 'result', number, value: await called(...borrow(sent)) });
    } catch (error) {
      postFailure(number, packError(error));
    } finally {
      for (const link of sent.links) controllers.delete(link.number);
    }
  };

  const receive = (message: Message): void => {
    const { kind, number } = message;
    if (kind === 'result') pending.get(number)?.resolve(message.value);
    else if (kind === 'failure') pending.get(number)?.reject(unpackError(message.error));
    else if (kind === 'abort') controllers.get(number)?.abort(unpackError(message.reason));
    else {
      const { of, args } = message;
      const called =
        typeof of === 'string' ? (own as Record<string, AnyFunction>)[of] : lent.get(of);
      if (number === null) called?.(...args);
      else void answer(message, number, called);
    }
  };
  port.on('message', receive);

  return {
    calls: new Proxy({} as Calls<F>, {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          call(String(name), args),
    }),
    end: (error) => {
      if (over !== undefined) return;
      // The last messages of a thread may arrive after word of its end; it no longer waits for answers.
      for (let left = receiveMessageOnPort(port); left !== undefined; ) {
        if (left.message.kind !== 'call' || left.message.number === null) receive(left.message);
        left = receiveMessageOnPort(port);
      }
      over = error;
      for (const { reject } of pending.values()) reject(error);
      for (const controller of controllers.values()) controller.abort(error);
      port.close();
    },
  };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** The end of a thread, as the reason why its calls have no result. */
export class ThreadEnd extends Error {
  readonly code: 'thread_exited' | 'thread_failed' | 'thread_out_of_memory';
  readonly exitCode: number;

  /** @param failure with the error that ended it; undefined if it ended itself, or was closed */
  constructor(exitCode: number, failure?: { readonly error: unknown }) {
    const { code } = (failure?.error ?? {}) as { code?: unknown };
    if (failure === undefined) {
      super(`its thread ended early, with code ${exitCode}`);
      this.code = 'thread_exited';
    } else if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
      super('its thread ran out of memory');
      this.code = 'thread_out_of_memory';
    } else {
      super(errorLine(failure.error));
      this.code = 'thread_failed';
    }
    this.exitCode = exitCode;
  }
}

/** A thread whose functions this one calls. It keeps the process alive during calls only. */
export interface Thread<F> {
  /** @throws ThreadEnd if the thread ends before it answers */
  readonly calls: Calls<F>;
  /** Resolves, with the reason, once the thread has ended. */
  readonly ended: Promise<ThreadEnd>;
  /** Ends the thread wherever it is, and its calls at once. */
  close(): Promise<void>;
}

/** Settings of a thread. */
export interface ThreadOptions {
  /** The most memory for JavaScript objects; default: that of Node. */
  readonly megabytes?: number | undefined;
}

/**
 * Starts a thread. If its file cannot be loaded, it ends.
 *
 * @param file a module that calls {@link serveCalls}: a path, or a name among the imports of the package
 * @param from the URL of the calling module
 */
export function startThread<F extends object>(
  file: string,
  from: string,
  { megabytes }: ThreadOptions = {},
): Thread<F> {
  const { port1: here, port2: there } = new MessageChannel();
  // As code, because a file is refused where the process was started with --input-type.
  const code = `
    Promise.all([import('node:module'), import('node:url')]).then(
      ([{ createRequire }, { pathToFileURL }]) => {
        const file = createRequire(${JSON.stringify(from)}).resolve(${JSON.stringify(file)});
        return import(pathToFileURL(file).href);
      },
    );`;
  const worker = new Worker(code, {
    eval: true,
    workerData: there,
    transferList: [there],
    resourceLimits: megabytes === undefined ? {} : { maxOldGenerationSizeMb: megabytes },
  });
  const keepAlive = (isBusy: boolean) => {
    for (const one of [worker, here]) isBusy ? one.ref() : one.unref();
  };
  const { calls, end } = connect<F>(here, {}, keepAlive);
  keepAlive(false);
  let failure: { readonly error: unknown } | undefined;
  worker.on('error', (error) => {
    failure = { error };
  });
  const ended = new Promise<ThreadEnd>((resolve) => {
    worker.once('exit', (code) => {
      const reason = new ThreadEnd(code, failure);
      end(reason);
      resolve(reason);
    });
  });
  return {
    calls,
    ended,
    close: async () => {
      end(new ThreadEnd(1));
      await worker.terminate();
    },
  };
}

/** Lets the thread that started this one call these functions. */
export function serveCalls(functions: object): void {
  connect(workerData as MessagePort, functions);
}
