import type { Language } from '@alas-jssp/core/languages';
import type { Instance } from 'alas-jssp/jssp';
import type { ProposalView, ScheduleView } from 'alas-jssp/page';
import type { Caller } from '../api/common.js';
import type {
  ChangeAnswer,
  DryRunAnswer,
  ListedShop,
  MovesAnswer,
  NewShopRequest,
  OutcomeAnswer,
  ReportRequest,
  ShopStateAnswer,
  ShopSummary,
  UndoRequest,
  WishRequest,
  WithdrawalRequest,
} from '../api/shop-schemas.js';

/** The caller of a command, and its idempotency key. */
export interface KeyedCaller {
  readonly caller: Caller;
  /** A second request with the same key gets the answer of the first one. */
  readonly key?: string | undefined;
}

/** A version of the plan of a shop, for another thread. */
export interface ShopSchedule {
  readonly instance: Instance;
  readonly start: Int32Array;
  readonly version: number;
  /** The wall-clock time, in milliseconds since 1970. */
  readonly stamp: number;
}

/** The load of the shop threads. */
export interface ShopLoad {
  /** Per thread: seconds since the start of its computation (0 if idle), and waiting calls. */
  readonly threads: readonly { readonly busy_seconds: number; readonly waiting: number }[];
  /** The number of quarantined shops. */
  readonly quarantined: number;
  /** Whether a thread has exceeded the time limit of a repair. */
  readonly isHanging: boolean;
}

/**
 * The shops of a service, in its log and its threads. Methods throw InputError for an invalid request (`no_shop`,
 * `bad_event`, `bad_now`, `no_version`, `other_request` for the key of another request, …) and AlasError for a
 * conflict with the state of the shop (`shop_ended`, `no_proposal`, `shop_exists`).
 */
export interface ShopDirectory {
  /** The same shops for a caller, with its own queue at their threads. */
  as(caller: string): ShopDirectory;
  /** The same shops with sentences in a language; the default is English. */
  in(language: Language): ShopDirectory;
  create(request: NewShopRequest, by: KeyedCaller): Promise<ShopSummary>;
  /** Lists all shops once those of the log are reopened; ended ones with their initial size, unavailable ones last. */
  list(): Promise<readonly ListedShop[]>;
  /** The numbers of open shops and of unopened shops of the log; a request for an unopened one opens it first. */
  counts(): { readonly open: number; readonly opening: number };
  /** @param options.next the number of next operations per machine; default 3 */
  state(id: string, options?: { readonly next?: number | undefined }): Promise<ShopStateAnswer>;
  /** A version for the chart; default: the followed one. `proposal`: the waiting one. */
  view(id: string, version?: number | 'proposal'): Promise<ScheduleView | ProposalView>;
  /** A page of the moves of a version (default: the last one) or of the proposal. */
  moves(id: string, version?: number | 'proposal', from?: number): Promise<MovesAnswer>;
  /** A version in the plan format; default: the followed one. */
  plan(
    id: string,
    when?: { readonly version?: number; readonly time?: number | string },
  ): Promise<object>;
  /** A version with its instance, for exports; default: the followed one. */
  schedule(id: string, version?: number): Promise<ShopSchedule>;
  report(id: string, request: ReportRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  /** As {@link ShopDirectory.report}, in JSON. */
  reportJson(id: string, request: ReportRequest, by: KeyedCaller): Promise<string>;
  /** Tries events under policies, by name or changes (default: the rows of the shop), or starts; nothing is written. */
  tryOut(
    id: string,
    request: ReportRequest | WishRequest,
    by: KeyedCaller,
    policies?: readonly unknown[],
  ): Promise<DryRunAnswer>;
  wish(id: string, request: WishRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  undo(id: string, request: UndoRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  withdraw(id: string, request: WithdrawalRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  /** @param name the approval to answer, so that a caller cannot answer an unseen proposal */
  approve(id: string, name: string, by: KeyedCaller): Promise<OutcomeAnswer>;
  decline(id: string, name: string, reason: string, by: KeyedCaller): Promise<OutcomeAnswer>;
  close(id: string, by: KeyedCaller): Promise<ShopSummary>;
  /** Changes after an id, from the log and then live; ends with the shop or the signal. */
  changes(id: string, after: string | undefined, signal: AbortSignal): AsyncIterable<ChangeAnswer>;
  /** The changes of the last instants of a shop (default 100), the last one first. */
  lastChanges(id: string, instants?: number): Promise<readonly ChangeAnswer[]>;
  /** The story of the last `most` instants of a shop, in lines. */
  story(id: string, most?: number): Promise<readonly string[]>;
  /** Releases a shop from quarantine, so that it can be opened. @throws InputError `not_quarantined` */
  release(id: string): Promise<void>;
  /** The load of the shop threads, and the number of quarantined shops. */
  load(): ShopLoad;
  /** Starts the threads that are not needed yet. */
  warmUp(): void;
  /** Ends all threads; every shop can be resumed later. */
  stop(): Promise<void>;
}
