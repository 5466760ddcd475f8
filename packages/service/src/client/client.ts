import { monotonicSeconds, systemClock } from '@alas-jssp/core/clock';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import createFetchClient, { type Client } from 'openapi-fetch';
import { answerOf, streamedEvents } from './client-answers.js';
import type { components, paths } from './openapi.js';
import { keyHeader, type ShopClient, shopClient } from './shop-client.js';

/** The routes that compute. */
type ComputePath = '/validate' | '/repair' | '/optimize' | '/explain';
type RouteBody<Path extends ComputePath> =
  paths[Path]['post']['requestBody']['content']['application/json'];
type RouteAnswer<Path extends ComputePath> =
  paths[Path]['post']['responses'][200]['content']['application/json'];

/** The address of a service, and the retry time of its client. */
export interface ServiceClientOptions {
  /** Default: http://127.0.0.1:8017 */
  readonly url?: string | undefined;
  /** A token of the service; not needed if the service has no tokens. */
  readonly token?: string | undefined;
  /**
   * Seconds for which requests are retried while the service is busy or a connection breaks, default 30; at most three
   * until the service has answered once.
   */
  readonly patience?: number | undefined;
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Progress and cancellation of a long request. */
export interface ProgressOptions {
  /** Receives progress as it arrives, in the form of the service. */
  readonly onProgress?: ((progress: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A client of a service, typed by its OpenAPI document. A refused request throws a `RequestProblem`. */
export interface ServiceClient {
  /** All routes, by path: a client of `openapi-fetch`. */
  readonly http: Client<paths>;
  validate(
    body: RouteBody<'/validate'>,
    watch?: ProgressOptions,
  ): Promise<RouteAnswer<'/validate'>>;
  explain(body: RouteBody<'/explain'>, watch?: ProgressOptions): Promise<RouteAnswer<'/explain'>>;
  repair(body: RouteBody<'/repair'>, watch?: ProgressOptions): Promise<RouteAnswer<'/repair'>>;
  optimize(
    body: RouteBody<'/optimize'>,
    watch?: ProgressOptions,
  ): Promise<RouteAnswer<'/optimize'>>;
  shops(): Promise<paths['/shops']['get']['responses'][200]['content']['application/json']>;
  openShop(request: components['schemas']['NewShopInput']): Promise<ShopClient>;
  shop(id: string): ShopClient;
}

/**
 * Creates a client of a service; it sends nothing yet.
 *
 * @throws InputError `bad_address` if the address is not one of HTTP
 */
export function connectService(options: ServiceClientOptions = {}): ServiceClient {
  const { url = 'http://127.0.0.1:8017', token, patience = 30, fetch } = options;
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    const hint = 'give one such as http://127.0.0.1:8017';
    throw new InputError('bad_address', `${JSON.stringify(url)} is no address`, hint, {}, url);
  }
  const http = createFetchClient<paths>({
    baseUrl: url,
    fetch: patientFetch(url, patience, fetch),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const compute =
    <Path extends ComputePath>(path: Path) =>
    (body: RouteBody<Path>, watch: ProgressOptions = {}) =>
      computeBy(http, path, body, watch);
  return {
    http,
    validate: compute('/validate'),
    explain: compute('/explain'),
    repair: compute('/repair'),
    optimize: compute('/optimize'),
    shops: () => answerOf(http.GET('/shops')),
    openShop: async (body) => {
      const { id } = await answerOf(http.POST('/shops', { params: { header: keyHeader() }, body }));
      return shopClient(http, id);
    },
    shop: (id) => shopClient(http, id),
  };
}

/** Sends a request that computes; streams its progress if there is a listener. */
async function computeBy<Path extends ComputePath>(
  http: Client<paths>,
  path: Path,
  body: RouteBody<Path>,
  { onProgress, signal }: ProgressOptions,
): Promise<RouteAnswer<Path>> {
  // All these routes take a body and give an answer; the caller's types say which ones belong together.
  const post = http.POST as (path: string, init: object) => ReturnType<typeof http.POST>;
  if (onProgress === undefined) return (await answerOf(post(path, { body, signal }))) as never;
  const headers = { accept: 'text/event-stream' };
  const stream = await answerOf(post(path, { body, signal, headers, parseAs: 'stream' }));
  for await (const { event, data } of streamedEvents(stream as unknown as ReadableStream)) {
    if (event === 'result') return data as RouteAnswer<Path>;
    onProgress(data);
  }
  throw new AlasError('no_result', 'the service broke off before it had a result');
}

/** Seconds before the first retry; doubled with each retry. */
const FIRST_PAUSE = 0.05;
const LONGEST_PAUSE = 2;
/** Seconds that a service that has never answered may take to start. */
const LONGEST_START = 3;

/**
 * A fetch that retries for some seconds if the service is busy (429 and 503, after the time in the answer) or the
 * connection breaks. After a broken connection it repeats only requests that change nothing or have an idempotency key.
 */
function patientFetch(
  url: string,
  patience: number,
  fetch: (request: Request) => Promise<Response> = globalThis.fetch,
): (request: Request) => Promise<Response> {
  let hasAnswered = false;
  return async (request) => {
    const { signal } = request;
    const began = monotonicSeconds();
    const canWait = (seconds: number) => {
      const most = hasAnswered ? patience : Math.min(patience, LONGEST_START);
      return monotonicSeconds() + seconds <= began + most;
    };
    const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key');
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      let wait = pause;
      try {
        const response = await fetch(request.clone());
        hasAnswered = true;
        if (response.status !== 429 && response.status !== 503) return response;
        wait = Number(response.headers.get('retry-after') ?? 1);
        if (!canWait(wait)) return response;
        await response.body?.cancel();
      } catch (error) {
        if (signal.aborted) throw error;
        if (!isRepeatable || !canWait(wait)) throw hasAnswered ? error : noService(url, error);
      }
      await systemClock.sleep(wait * 1000, signal);
    }
  };
}

function noService(url: string, error: unknown): AlasError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = `no service answers at ${url} (${reason}); alas-jssp serve starts one`;
  return new AlasError('no_service', text, error);
}
