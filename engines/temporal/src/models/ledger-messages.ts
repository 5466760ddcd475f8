import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BudgetRefusal, RequestOutcome, Usage, Wait } from 'alas-jssp/admission';

/** A request that wants to be let through. */
export interface LedgerRequest {
  /** Names it: one that is sent again, because its answer was lost, is the same one. */
  readonly ticket: string;
  readonly provider: string;
  /** Of the question: equal ones are let through one after the other. */
  readonly key: string;
  /** The least that it takes. */
  readonly least: Usage;
  /** Requests of the same worker that came to their end. */
  readonly left: readonly LeftRequest[];
}

/** The end of a request. */
export interface LeftRequest {
  readonly ticket: string;
  readonly outcome: RequestOutcome;
  /** Null if nothing. */
  readonly taken: Usage | null;
}

/** The ledger's answer to a request. */
export type LedgerReply =
  /** Seconds until the time of the budget is over, if it has such a limit. */
  | { readonly kind: 'admitted'; readonly secondsLeft?: number }
  | { readonly kind: 'refused'; readonly message: string; readonly refusal: BudgetRefusal }
  /** It keeps its place in the line, and is to ask again after so many seconds. */
  | { readonly kind: 'later'; readonly seconds: number };

/** The state of a ledger, for those who began the run. */
export interface LedgerReport {
  readonly spent: Usage;
  /** The budget that stood in the way, in words. */
  readonly stopped: string | null;
  /** The last pause of each provider, and when it began, in milliseconds since 1970. */
  readonly waits: readonly (Wait & { readonly provider: string; readonly at: number })[];
  /** The words of workers, by their names. */
  readonly notes: Readonly<Record<string, string>>;
  readonly underWay: number;
}

/** Asks to be let through. */
export const enter = defineUpdate<LedgerReply, [LedgerRequest]>('enter');
/** Tells of requests that came to their end. */
export const leave = defineSignal<[readonly LeftRequest[]]>('leave');
/** Tells of the requests that a worker has under way or in line: it lives. */
export const alive = defineSignal<[readonly string[]]>('alive');
/** Tells something to whoever began the run. */
export const note = defineSignal<[worker: string, line: string]>('note');
export const report = defineQuery<LedgerReport>('report');

/** Seconds without word of a request after which its worker counts as dead. */
export const LEASE = 60;
