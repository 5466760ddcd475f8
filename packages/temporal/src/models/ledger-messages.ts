import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BudgetRefusal, RequestOutcome, Usage, Wait } from 'alas-jssp/admission';

/** A request for admission. */
export interface LedgerRequest {
  /** Identifies it: a request that is sent again, because its answer was lost, is the same one. */
  readonly ticket: string;
  readonly provider: string;
  /** The key of the request: equal ones are admitted one after the other. */
  readonly key: string;
  /** Its minimum usage. */
  readonly least: Usage;
  /** Ended requests of the same worker. */
  readonly left: readonly LeftRequest[];
}

/** The end of a request. */
export interface LeftRequest {
  readonly ticket: string;
  readonly outcome: RequestOutcome;
  /** Null for none. */
  readonly taken: Usage | null;
}

/** The ledger's answer to a request. */
export type LedgerReply =
  /** Seconds until the time of the budget is over, if it has such a limit. */
  | { readonly kind: 'admitted'; readonly secondsLeft?: number }
  | { readonly kind: 'refused'; readonly message: string; readonly refusal: BudgetRefusal }
  /** The request keeps its place in the queue; its worker must ask again after this number of seconds. */
  | { readonly kind: 'later'; readonly seconds: number };

/** The state of a ledger, for the starter of the run. */
export interface LedgerReport {
  readonly spent: Usage;
  /** The exhausted budget, in words. */
  readonly stopped: string | null;
  /** The last pause of each provider, and its start in milliseconds since 1970. */
  readonly waits: readonly (Wait & { readonly provider: string; readonly at: number })[];
  /** The notes of workers, by their names. */
  readonly notes: Readonly<Record<string, string>>;
  readonly underWay: number;
}

/** Requests admission. */
export const enter = defineUpdate<LedgerReply, [LedgerRequest]>('enter');
/** Reports ended requests. */
export const leave = defineSignal<[readonly LeftRequest[]]>('leave');
/** Reports the requests of a worker in flight or in the queue: a sign of life. */
export const alive = defineSignal<[readonly string[]]>('alive');
/** Sends a note to the starter of the run. */
export const note = defineSignal<[worker: string, line: string]>('note');
export const report = defineQuery<LedgerReport>('report');

/** Seconds without a sign of life of a request after which its worker counts as dead. */
export const LEASE = 60;
