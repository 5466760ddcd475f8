import { systemClock } from '@alas-jssp/core/clock';
import type { Client } from 'openapi-fetch';
import { answerOf, RequestProblem, streamedEvents } from './client-answers.js';
import type { components, paths } from './openapi.js';

type Schemas = components['schemas'];
type CommandOutcome = Schemas['Outcome'];

/** The idempotency key of a command; by default each call makes one. */
export interface CommandOptions {
  readonly key?: string | undefined;
}

/**
 * A shop of a service. If the answer to a command is lost, the client repeats it with the same key; the service
 * executes it once.
 */
export interface ShopClient {
  readonly id: string;
  /** @param next the number of next operations per machine; default 3 */
  state(next?: number): Promise<Schemas['ShopState']>;
  /** A version in the plan format; default: the followed one. */
  plan(when?: { readonly version?: number; readonly time?: string }): Promise<object>;
  /** A page of the moves of a version or of the `proposal`; `next` is `from` of the next page. */
  moves(which?: {
    readonly version?: number | 'proposal';
    readonly from?: number;
  }): Promise<Schemas['Moves']>;
  /** The story in lines, of the last `most` instants. */
  story(most?: number): Promise<readonly string[]>;
  report(report: Schemas['ReportInput'], options?: CommandOptions): Promise<CommandOutcome>;
  /** The cost of events under policies, by name or as changes to the default; nothing is written. */
  whatIf(
    report: Schemas['ReportInput'],
    policies?: readonly Schemas['PolicyInput'][],
  ): Promise<Schemas['DryRun']>;
  /** The cost of proposed starts: alone, with conflicting operations delayed, and with all others replanned. */
  tryStarts(wish: Schemas['WishInput']): Promise<Schemas['DryRun']>;
  wish(wish: Schemas['WishInput'], options?: CommandOptions): Promise<CommandOutcome>;
  undo(undo: Schemas['UndoInput'], options?: CommandOptions): Promise<CommandOutcome>;
  withdraw(
    withdrawal: Schemas['WithdrawalInput'],
    options?: CommandOptions,
  ): Promise<CommandOutcome>;
  approve(proposal: string): Promise<CommandOutcome>;
  decline(proposal: string, reason?: string): Promise<CommandOutcome>;
  close(): Promise<Schemas['ShopSummary']>;
  /** Changes as they arrive, until the shop ends or the signal is aborted. Reconnects if the connection breaks. */
  changes(options?: ChangesOptions): AsyncGenerator<Schemas['Change']>;
}

/** The start of a stream of changes, and the signal that ends it. */
interface ChangesOptions {
  /** The id of the last known change, `'0'` for none; default: only new changes. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the client of a shop, without a check that the shop exists. */
export function shopClient(http: Client<paths>, id: string): ShopClient {
  const path = { id };
  const keyed = (options?: CommandOptions) => ({ path, header: keyHeader(options) });
  return {
    id,
    state: (next) =>
      answerOf(http.GET('/shops/{id}', { params: { path, query: given({ next: text(next) }) } })),
    plan: ({ version, time } = {}) => {
      const query = given({ version: text(version), time });
      return answerOf(http.GET('/shops/{id}/plan', { params: { path, query } }));
    },
    moves: ({ version, from } = {}) => {
      const number = version === 'proposal' ? version : text(version);
      const query = given({ version: number as 'proposal' | undefined, from: text(from) });
      return answerOf(http.GET('/shops/{id}/moves', { params: { path, query } }));
    },
    async story(most) {
      const query = given({ most: text(most) });
      return (await answerOf(http.GET('/shops/{id}/story', { params: { path, query } }))).lines;
    },
    async report(body, options) {
      const params = keyed(options);
      return (await answerOf(http.POST('/shops/{id}/events', { params, body }))) as CommandOutcome;
    },
    async whatIf(body, policies = []) {
      const policy = policies.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
      const params = { ...keyed(), query: { 'dry-run': 'true', policy } as const };
      const answer = await answerOf(http.POST('/shops/{id}/events', { params, body }));
      return answer as Schemas['DryRun'];
    },
    async tryStarts(body) {
      const params = { ...keyed(), query: { 'dry-run': 'true' } as const };
      const answer = await answerOf(http.POST('/shops/{id}/starts', { params, body }));
      return answer as Schemas['DryRun'];
    },
    async wish(body, options) {
      const params = keyed(options);
      return (await answerOf(http.POST('/shops/{id}/starts', { params, body }))) as CommandOutcome;
    },
    undo: (body, options) =>
      answerOf(http.POST('/shops/{id}/undo', { params: keyed(options), body })),
    withdraw: (body, options) =>
      answerOf(http.POST('/shops/{id}/withdraw', { params: keyed(options), body })),
    approve: (name) => {
      const params = { path: { id, name }, header: keyHeader() };
      return answerOf(http.POST('/shops/{id}/proposals/{name}/approve', { params }));
    },
    decline: (name, reason = '') => {
      const params = { path: { id, name }, header: keyHeader() };
      const body = { reason };
      return answerOf(http.POST('/shops/{id}/proposals/{name}/decline', { params, body }));
    },
    close: () => answerOf(http.POST('/shops/{id}/close', { params: keyed() })),
    changes: (options) => followChanges(http, id, options),
  };
}

/** The idempotency header, which makes a request repeatable. */
export function keyHeader({ key = crypto.randomUUID() }: CommandOptions = {}) {
  return { 'idempotency-key': key };
}

/** Milliseconds before a broken stream is reopened; doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

async function* followChanges(
  http: Client<paths>,
  id: string,
  { after, signal }: ChangesOptions = {},
): AsyncGenerator<Schemas['Change']> {
  const params = { path: { id }, query: { next: '0' } };
  const stateNow = () => answerOf(http.GET('/shops/{id}', { params }));
  let last = after ?? (await stateNow()).last_change;
  let pause = FIRST_PAUSE_MS;
  while (!signal?.aborted) {
    try {
      for await (const change of openChanges(http, id, last, signal)) {
        last = change.id;
        pause = FIRST_PAUSE_MS;
        yield change;
        if (change.kind === 'closed' || change.kind === 'failed') return;
      }
      if ((await stateNow()).status !== 'open') return;
    } catch (error) {
      if (signal?.aborted) return;
      const isRefused = error instanceof RequestProblem && error.status < 500;
      if (isRefused && error.status !== 429) throw error;
    }
    await systemClock.sleep(pause, signal).catch(() => {});
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

async function* openChanges(
  http: Client<paths>,
  id: string,
  last: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Schemas['Change']> {
  const params = { path: { id }, header: { 'last-event-id': last } };
  const stream = await answerOf(
    http.GET('/shops/{id}/changes', { params, parseAs: 'stream', signal: signal ?? null }),
  );
  if (stream === null) return;
  for await (const { data } of streamedEvents(stream)) yield data as Schemas['Change'];
}

/** Omits undefined values. */
function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

function text(number: number | undefined): string | undefined {
  return number?.toString();
}
