import { AlasError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import type { Json, LogEntry, NewEntry } from './entry.js';

/** The ownership of a run: one owner at a time. */
export interface Lease {
  readonly runId: string;
  /** The owner, such as `HOST/PID/7f3a90c1`; null when the run has none. */
  readonly owner: string | null;
  /** The fencing token: grows with every owner, and an append with an older one is rejected. */
  readonly token: number;
  /** The end of the lease, in milliseconds since 1970; later requests may take the run over. */
  readonly until: number;
  /**
   * Of a run without an owner: when it is due again, in milliseconds since 1970; null if it has
   * ended, or if only a message can continue it.
   */
  readonly wakeAt: number | null;
  /** The number of the last inbox message in the log; 0 if there is none. */
  readonly taken: number;
  /**
   * False if handlers may still be running: those of the last owner for a run without an owner;
   * else those of owners before the present one.
   */
  readonly quiet: boolean;
}

/** The state in which a run is released. */
export type Release = Pick<Lease, 'wakeAt' | 'taken' | 'quiet'>;

/** A request to own a run. */
export interface LeaseRequest {
  readonly runId: string;
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly until: number;
  /** Whether the process of an owner is known to have ended, which voids its lease. */
  isGone(owner: string): boolean;
  /**
   * The first entries of a new run, which are appended in the same transaction. Without them the
   * run must exist.
   */
  readonly first?: (token: number) => readonly NewEntry[];
}

/** The answer to a {@link LeaseRequest}. */
export type LeaseAnswer =
  /** `before`: the previous lease; undefined for a new run. `entries`: those of a new run. */
  | {
      readonly status: 'owned';
      readonly lease: Lease;
      readonly before: Lease | undefined;
      readonly entries: readonly LogEntry[];
    }
  /** The run has another owner. */
  | { readonly status: 'held'; readonly lease: Lease }
  /** A new run was requested, and one of that id exists. */
  | { readonly status: 'exists' }
  /** The run does not exist. */
  | { readonly status: 'missing' };

/** A claim of a run on a key of scope `resource`: no other run makes that effect meanwhile. */
export interface Claim {
  readonly key: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly handler: string;
  /** SHA-256 (hex) of the input. */
  readonly inputHash: string;
  /** The run that made it has completed: all steps with the same input share its output. */
  readonly committed: boolean;
}

/** Changes in the transaction in which entries are appended. */
export interface AppendOptions {
  /** The token of the owner. Without it the run must have no owner at that moment. */
  readonly token?: number | undefined;
  /** Makes a claim for the run of the entries. */
  readonly claim?: Omit<Claim, 'runId' | 'committed'> | undefined;
  /** Drops the claims of the run on these keys. */
  readonly dropClaims?: readonly string[] | undefined;
  /** Commits all claims of the run. */
  readonly commitClaims?: boolean | undefined;
  /** Releases the run. */
  readonly release?: Release | undefined;
}

/** A message to a run. */
export interface InboxMessage {
  /** Its number, from 1, growing over all runs. */
  readonly id: number;
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly ts: string;
  /** A kind of `interpreter/messages.ts`, such as `signal`. */
  readonly kind: string;
  readonly data: Json;
}

/** The tables other than the log: the owners of runs, claims, and undelivered messages. */
export interface RunTables {
  /** Takes a run, if it is free, its lease has ended or its owner is gone. One transaction. */
  acquire(request: LeaseRequest): LeaseAnswer;
  /** Renews a lease; false if the run has another owner now. */
  renew(runId: string, token: number, until: number): boolean;
  /** Releases a run without an entry; does nothing if it has another owner now. */
  release(runId: string, token: number, how: Release): void;
  /** Undefined for a run that never had an owner. */
  leaseOf(runId: string): Lease | undefined;
  /** The leases of all runs, in the order in which they began. */
  leases(): readonly Lease[];
  claimOf(key: string): Claim | undefined;
  /** Puts a message into the inbox of a run, and notifies its watchers. Returns its number. */
  post(message: Omit<InboxMessage, 'id'>): number;
  /** The messages of a run with numbers above `after`, in order. */
  messages(runId: string, after: number): readonly InboxMessage[];
  /** The numbers of the last messages, by run: of the runs that have any. */
  lastMessages(): ReadonlyMap<string, number>;
  /**
   * Calls back soon after any process posted a message to a run; perhaps also without a message.
   * Keeps no process alive.
   */
  watch(runId: string, onMessage: () => void): () => void;
}

/** The lease for a request, given the present one; undefined if the run has another owner. */
export function grantLease(request: LeaseRequest, before: Lease | undefined): Lease | undefined {
  const { runId, owner, now, until, isGone } = request;
  if (before?.owner != null && before.until > now && !isGone(before.owner)) return undefined;
  const { token = 0, taken = 0 } = before ?? {};
  const isOver = before?.owner == null || isGone(before.owner);
  const quiet = isOver && before?.quiet !== false;
  return { runId, owner, token: token + 1, until, wakeAt: null, taken, quiet };
}

/** An append by a process that does not own the run. */
export function notOwner(runId: string, lease: Lease | undefined): AlasError {
  const { owner = null, until = 0 } = lease ?? {};
  const now =
    owner === null
      ? 'it had another owner since'
      : `it belongs to ${owner} until ${isoTime(until)}`;
  return new AlasError('not_owner', `run ${JSON.stringify(runId)} is not ours: ${now}`, lease);
}

/** A claim on a key that another run has claimed. */
export function claimed(claim: Claim): AlasError {
  const message = `the key ${claim.key} is claimed by ${claim.nodeId} of run ${JSON.stringify(claim.runId)}`;
  return new AlasError('claimed', message, claim);
}
