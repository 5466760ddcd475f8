import type { LogStore } from '@alas-jssp/workflow';
import type { BlobStore } from './compensation.js';
import type { RequestName } from './repetition.js';
import type { GuardReport } from './report.js';
import type { ListedTool, ToolAnswer } from './servers/server.js';
import type { CallStatus } from './session/commands.js';

/** A tool as the guard offers it. */
export type OfferedTool = Pick<
  ListedTool,
  'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'
>;

/** The answer to a call. */
export interface GuardAnswer {
  readonly status: CallStatus;
  /** One line for the model. */
  readonly message: string;
  /** The number of the call; null for reads and for calls that were not begun. */
  readonly call: number | null;
  /** The answer of the tool; null if there is none. */
  readonly result: ToolAnswer | null;
  /** Whether it answers a repeated call from the log. */
  readonly repeated?: true;
  /** The approval that the call waits for, for `alas-jssp log approve`. */
  readonly approval?: {
    readonly run: string;
    readonly name: string;
    readonly by: readonly string[];
  };
}

/** The log of a guard: a file, or an open store. */
export type GuardLog = string | { readonly store: LogStore; readonly blobs?: BlobStore };

/** A guard around the tools of servers: every change is a step of a run in a log. */
export interface Guard {
  /** The tools that have rules, under the names by which `call` knows them. */
  readonly tools: readonly OfferedTool[];
  /** The tools that are refused, with the reasons. */
  readonly refusedTools: readonly { readonly name: string; readonly reason: string }[];
  /** The sessions of earlier guards on this log that this one has taken back at its start. */
  readonly recovered: readonly GuardReport[];
  /**
   * Calls a tool. Calls that change something are made one after the other; reads run beside them.
   * An aborted call is not stopped: it ends in the log.
   */
  call(
    name: string,
    input: unknown,
    options?: RequestName & { readonly signal?: AbortSignal | undefined },
  ): Promise<GuardAnswer>;
  /** The report of the session, after looking whether calls in doubt have acted. */
  status(): Promise<GuardReport>;
  /** The outcome of one call, after looking whether it has acted if it is in doubt. */
  statusOf(call: number): Promise<GuardAnswer>;
  /** Takes everything back that the session has done, last first. */
  abort(reason: string, by?: string): Promise<GuardReport>;
  /** Keeps all changes; refused while a call is in doubt. The next call begins a new session. */
  commit(): Promise<GuardReport>;
  /** Approves a call that waits. @throws InputError `not_approver`, `no_approval` */
  approve(call: number, by: string): void;
  /** Denies it. @throws as {@link Guard.approve} */
  deny(call: number, by: string, reason: string): void;
  /** Ends the session as the policy says for a client that goes, and all servers. */
  close(): Promise<readonly GuardReport[]>;
}
