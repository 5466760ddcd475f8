import { AlasError } from '../../core/errors.js';
import { isoTime } from '../../core/iso-time.js';
import type { Json, LogEntry, NewEntry } from './entry.js';

/** The ownership of a run: one owner at a time works at it. */
export interface Lease {
  readonly runId: string;
  /** The owner, such as `HOST/PID/7f3a90c1`; null when nobody has the run. */
  readonly owner: string | null;
  /** The fencing token: grows with every owner, and an append with an older one is refused. */
  readonly token: number;
  /** The end of the lease, in milliseconds since 1970; whoever asks later may take the run over. */
  readonly until: number;
  /**
   * Of a run that nobody has: when it is to be taken up again, in milliseconds since 1970; null if
   * it has ended, or if only a message can bring it on.
   */
  readonly wakeAt: number | null;
  /** The number of the last message of the inbox that stands in the log; 0 if none does. */
  readonly taken: number;
  /**
   * False if handlers may still be at work: of a run that nobody has, those of its last owner; of
   * any other, those of owners before the one it has.
   */
  readonly quiet: boolean;
}

/** How a run is given back. */
export type Release = Pick<Lease, 'wakeAt' | 'taken' | 'quiet'>;

/** The wish to own a run. */
export interface LeaseRequest {
  readonly runId: string;
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly until: number;
  /** Whether the process of an owner is known to have ended: then its lease counts for nothing. */
  isGone(owner: string): boolean;
  /**
   * The first entries of a new run, which are appended in the same transaction. Without it the run
   * must be there.
   */
  readonly first?: (token: number) => readonly NewEntry[];
}

/** The answer to a {@link LeaseRequest}. */
export type LeaseAnswer =
  /**
   * `before`: the lease as it was; undefined for a new run. `entries`: those of a new run.
   */
  | {
      readonly status: 'owned';
      readonly lease: Lease;
      readonly before: Lease | undefined;
      readonly entries: readonly LogEntry[];
    }
  /** Somebody else has it. */
  | { readonly status: 'held'; readonly lease: Lease }
  /** A new run was asked for, and there is one of that id. */
  | { readonly status: 'exists' }
  /** There is no such run. */
  | { readonly status: 'missing' };

/** A claim of a run on a key of scope `resource`: nobody else makes that effect meanwhile. */
export interface Claim {
  readonly key: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly handler: string;
  /** SHA-256 (hex) of the input. */
  readonly inputHash: string;
  /** The run that made it has completed: its output is that of everybody with the same input. */
  readonly committed: boolean;
}

/** Changes in the transaction in which entries are appended. */
export interface AppendOptions {
  /** The token of the owner. Without it nobody may own the run at that moment. */
  readonly token?: number | undefined;
  /** Makes a claim, of the run of the entries. */
  readonly claim?: Omit<Claim, 'runId' | 'committed'> | undefined;
  /** Gives up the claims on keys, of those that the run has. */
  readonly dropClaims?: readonly string[] | undefined;
  /** Commits all claims of the run. */
  readonly commitClaims?: boolean | undefined;
  /** Gives the run back. */
  readonly release?: Release | undefined;
}

/** A message to a run. */
export interface InboxMessage {
  /** Its number, from 1, growing over all runs. */
  readonly id: number;
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly ts: string;
  /** One of those of `interpreter/messages.ts`, such as `signal`. */
  readonly kind: string;
  readonly data: Json;
}

/** The tables beside the log: who owns which run, what is claimed, and what is to be delivered. */
export interface RunTables {
  /** Takes a run, if it is free, its lease has ended or its owner is gone. One transaction. */
  acquire(request: LeaseRequest): LeaseAnswer;
  /** Makes a lease longer; false if the run has another owner now. */
  renew(runId: string, token: number, until: number): boolean;
  /** Gives a run back without an entry; does nothing if it has another owner now. */
  release(runId: string, token: number, how: Release): void;
  /** Undefined for a run that never had an owner. */
  leaseOf(runId: string): Lease | undefined;
  /** The leases of all runs, in the order in which they began. */
  leases(): readonly Lease[];
  claimOf(key: string): Claim | undefined;
  /** Puts a message into the inbox of a run; those who watch it are told. Returns its number. */
  post(message: Omit<InboxMessage, 'id'>): number;
  /** The messages of a run with numbers above `after`, in order. */
  messages(runId: string, after: number): readonly InboxMessage[];
  /** The numbers of the last messages, by run: of the runs that have any. */
  lastMessages(): ReadonlyMap<string, number>;
  /**
   * Calls back soon after a message to a run was posted, by whatever process; perhaps also when
   * none was. Keeps no process alive.
   */
  watch(runId: string, onMessage: () => void): () => void;
}

/** The lease that a request gets, given the one there is; undefined if somebody else has it. */
export function grantLease(request: LeaseRequest, before: Lease | undefined): Lease | undefined {
  const { runId, owner, now, until, isGone } = request;
  if (before?.owner != null && before.until > now && !isGone(before.owner)) return undefined;
  const { token = 0, taken = 0 } = before ?? {};
  const isOver = before?.owner == null || isGone(before.owner);
  const quiet = isOver && before?.quiet !== false;
  return { runId, owner, token: token + 1, until, wakeAt: null, taken, quiet };
}

/** An append by who does not own the run. */
export function notOwner(runId: string, lease: Lease | undefined): AlasError {
  const { owner = null, until = 0 } = lease ?? {};
  const now =
    owner === null
      ? 'somebody else had it since'
      : `it belongs to ${owner} until ${isoTime(until)}`;
  return new AlasError('not_owner', `run ${JSON.stringify(runId)} is not ours: ${now}`, lease);
}

/** A claim on a key that another run has claimed. */
export function claimed(claim: Claim): AlasError {
  const message = `the key ${claim.key} is claimed by ${claim.nodeId} of run ${JSON.stringify(claim.runId)}`;
  return new AlasError('claimed', message, claim);
}
