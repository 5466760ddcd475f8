import type { Language } from '../../core/languages.js';
import type { ProposalView, ScheduleView } from '../../harness/page/schedule-data.js';
import type { Instance } from '../../jssp/instance.js';
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

/** Who tells a shop something, and under which idempotency key. */
export interface Teller {
  readonly by: Caller;
  /** A second request with the same key gets the answer of the first. */
  readonly key?: string | undefined;
}

/** A version of the plan of a shop, as it goes to another thread. */
export interface ShopSchedule {
  readonly instance: Instance;
  readonly start: Int32Array;
  readonly version: number;
  /** The time on the wall, in milliseconds since 1970. */
  readonly stamp: number;
}

/** The load of the threads of shops. */
export interface ShopLoad {
  /** Each thread: seconds since it began what it computes (0 if nothing), and calls that wait for it. */
  readonly threads: readonly { readonly busy_seconds: number; readonly waiting: number }[];
  /** Shops in quarantine. */
  readonly quarantined: number;
  /** Whether a thread has computed for longer than a repair may take. */
  readonly isHanging: boolean;
}

/**
 * The shops of a service, in its log and warm in its threads. Everything throws InputError for what is wrong
 * with a request (`no_shop`, `bad_event`, `bad_now`, `no_version`, `other_request` for a key that another request
 * had, …) and AlasError for what stands in its way (`shop_ended`, `no_proposal`, `shop_exists`).
 */
export interface ShopDirectory {
  /** The same shops for a caller, which waits for their threads by itself: no caller takes the turns of another. */
  as(caller: string): ShopDirectory;
  /** The same shops, whose sentences are in a language; those of the directory itself are in English. */
  in(language: Language): ShopDirectory;
  create(request: NewShopRequest, teller: Teller): Promise<ShopSummary>;
  /** All shops, once all that its log had when it was opened are open again; of ended ones as large as they were opened. Those that cannot be opened come last. */
  list(): Promise<readonly ListedShop[]>;
  /** How many shops are open, and how many of its log are still to be opened: who asks for one of those has it first. */
  counts(): { readonly open: number; readonly opening: number };
  /** @param options.next operations to come that are listed of each machine; default 3 */
  state(id: string, options?: { readonly next?: number | undefined }): Promise<ShopStateAnswer>;
  /** A version as it is drawn; default: the one that is followed. `proposal`: the one that waits. */
  view(id: string, version?: number | 'proposal'): Promise<ScheduleView | ProposalView>;
  /** The moves that made a version (default: the last one), or of the proposal, from one on. */
  moves(id: string, version?: number | 'proposal', from?: number): Promise<MovesAnswer>;
  /** A version in the format of plans; default: the one that is followed. */
  plan(
    id: string,
    when?: { readonly version?: number; readonly time?: number | string },
  ): Promise<object>;
  /** A version with its instance, as files are made of it; default: the one that is followed. */
  schedule(id: string, version?: number): Promise<ShopSchedule>;
  report(id: string, request: ReportRequest, teller: Teller): Promise<OutcomeAnswer>;
  /** Tries out events under policies, by name or changes (default: that of the shop), or starts; nothing is written. */
  tryOut(
    id: string,
    request: ReportRequest | WishRequest,
    caller: Teller,
    policies?: readonly unknown[],
  ): Promise<DryRunAnswer>;
  wish(id: string, request: WishRequest, teller: Teller): Promise<OutcomeAnswer>;
  undo(id: string, request: UndoRequest, teller: Teller): Promise<OutcomeAnswer>;
  withdraw(id: string, request: WithdrawalRequest, teller: Teller): Promise<OutcomeAnswer>;
  /** @param name the approval that is answered, so that nobody answers another than was seen */
  approve(id: string, name: string, teller: Teller): Promise<OutcomeAnswer>;
  decline(id: string, name: string, reason: string, teller: Teller): Promise<OutcomeAnswer>;
  close(id: string, teller: Teller): Promise<ShopSummary>;
  /** Changes after one, from the log and then as they come; ends with the shop, or the signal. */
  changes(id: string, after: string | undefined, signal: AbortSignal): AsyncIterable<ChangeAnswer>;
  /** The changes of the last instants of a shop, the last one first; default: of 100. */
  lastChanges(id: string, instants?: number): Promise<readonly ChangeAnswer[]>;
  /** The story of a shop, in lines, from the last `most` instants. */
  story(id: string, most?: number): Promise<readonly string[]>;
  /** Has a quarantined shop opened again. @throws InputError `not_quarantined` */
  release(id: string): Promise<void>;
  /** The work of the threads of shops, and the shops that are not opened. */
  load(): ShopLoad;
  /** Starts the threads that nothing has needed yet. */
  warmUp(): void;
  /** Ends all threads; every shop can be gone on with. */
  stop(): Promise<void>;
}
