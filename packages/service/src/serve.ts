import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { errorLine, InputError } from '@alas-jssp/core/errors';
import type { DryRunAnswer } from './api/shop-schemas.js';
import { createCompute } from './compute/compute.js';
import { type AppOptions, createApp, faultLine } from './http/app.js';
import { fillLimits } from './http/limits.js';
import { openShopDirectory } from './shops/open-directory.js';

/** Settings of a listening service. */
export interface ServiceOptions
  extends Pick<AppOptions, 'tokens' | 'limits' | 'hosts' | 'onRequest' | 'onFault'> {
  /** Default 8017; 0 for any free port. */
  readonly port?: number | undefined;
  /** The address to listen at. Default `127.0.0.1`: only this machine. */
  readonly host?: string | undefined;
  /** The folder of the shops. Default: a temporary one, removed with the service. */
  readonly data?: string | undefined;
  /** The number of shop threads, if shops are kept. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Runs a simulated shop with a random event every minute. */
  readonly demo?: { readonly onTrouble?: ((line: string) => void) | undefined } | undefined;
}

/** A listening service. */
export interface RunningService {
  /** Its address, such as `http://127.0.0.1:8017`. */
  readonly url: string;
  /**
   * Stops the service: it accepts no more requests, ends searches with their best results, answers requests in flight,
   * and ends streams. All shops can be resumed.
   */
  close(): Promise<void>;
}

/** The default port. */
const USUAL_PORT = 8017;

/** Milliseconds after which connections with unfinished requests are closed. */
const PATIENCE = 10_000;

/**
 * Starts a service: resumes the shops of its folder, and listens.
 *
 * @throws InputError `no_tokens` for an address that other machines reach, without tokens; `port_taken`, `bad_host`; as
 *   `openShopDirectory` does
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { port = USUAL_PORT, host = '127.0.0.1', tokens = [], data, demo } = options;
  if (tokens.length === 0 && !isLoopback(host)) {
    throw new InputError(
      'no_tokens',
      `without tokens, every client that reaches ${host} could do everything`,
      'give tokens, or listen on 127.0.0.1',
    );
  }
  const limits = fillLimits(options.limits);
  const onFault = (error: unknown) => options.onFault?.(faultLine(error));
  const compute = createCompute(limits, { isShared: tokens.length > 1, onFault });
  const ending = new AbortController();
  const directory = await openShopDirectory({
    data,
    threads: options.threads ?? availableParallelism(),
    mostOperations: limits.operations,
    onFault,
    mostWaiting: limits.shop_waiting,
    isShared: tokens.length > 1,
    seconds: limits.shop_seconds,
    megabytes: limits.shop_megabytes,
    tryOut: (work, { caller }) =>
      compute.begin('trial', work, {
        caller: caller.name,
        signal: ending.signal,
      }) as Promise<DryRunAnswer>,
    // A search for a plan would block all shops of a thread.
    plan: (request, { caller }) =>
      compute.begin('plan', request, { caller: caller.name, signal: ending.signal }) as Promise<
        Record<string, unknown>
      >,
  });
  const stop = async () => {
    ending.abort();
    await compute.stop();
    await directory.stop();
  };
  const app = await createApp({
    ...options,
    hosts: [...(options.hosts ?? []), ...(isIP(host) === 0 ? [host] : [])],
    directory,
    compute,
  });
  try {
    const url = await app.listen({ port, host });
    afterFirstRequest(app.server, () => {
      // A stream may be closed after all else has ended.
      if (ending.signal.aborted) return;
      directory.warmUp();
      void compute.warmUp();
    });
    const player = demo && playDemo(directory, ending.signal, demo.onTrouble, options.onFault);
    return {
      url,
      close: async () => {
        const cut = setTimeout(() => app.server.closeAllConnections(), PATIENCE);
        await app.close().finally(() => clearTimeout(cut));
        await stop();
        await player;
      },
    };
  } catch (error) {
    await app.close();
    await stop();
    throw refusalToListen(error, host, port);
  }
}

/** Addresses that supervisors ask all the time. */
const SUPERVISED = /^\/(health|metrics)(\?|$)/;

/**
 * Calls a function once, after the first answer to a user. An unused service starts no threads, and loads and compiles
 * nothing ahead of time.
 */
function afterFirstRequest(server: Server, act: () => void): void {
  const listen = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    if (!SUPERVISED.test(url)) response.once('close', begin);
  };
  const begin = () => {
    if (!server.listeners('request').includes(listen)) return;
    server.off('request', listen);
    act();
  };
  server.on('request', listen);
}

async function playDemo(
  directory: AppOptions['directory'],
  signal: AbortSignal,
  onTrouble: ((line: string) => void) | undefined,
  onFault: ((line: string) => void) | undefined,
): Promise<void> {
  const { playDemo: play } = await import('./demo/demo.js');
  await play(directory, { signal, onTrouble }).catch((error: unknown) => {
    if (!signal.aborted) onFault?.(`the demo ended: ${errorLine(error)}`);
  });
}

/** Whether an address is a loopback address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function refusalToListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') {
    const problem = `port ${port} of ${host} is in use`;
    return new InputError('port_taken', problem, 'stop its process, or choose another port');
  }
  if (code === 'EACCES') {
    const problem = `port ${port} may not be used`;
    return new InputError('port_taken', problem, 'choose one from 1024 on');
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
    const problem = `${host} is not an address of this machine`;
    return new InputError('bad_host', problem, 'use 127.0.0.1, or 0.0.0.0 for all addresses');
  }
  return error;
}
