import { AlasError } from '../../core/errors.js';
import type {
  AppendOptions,
  Claim,
  InboxMessage,
  Lease,
  LeaseRequest,
  Release,
  RunTables,
} from './tables.js';

/** Tables in memory, and what a store does with them when it appends. */
export interface MemoryTables extends Omit<RunTables, 'acquire'> {
  /** Whether a request may be granted: the lease to be, or why not. */
  grant(request: LeaseRequest): Lease | undefined;
  put(lease: Lease): void;
  /** @throws AlasError `not_owner`, `claimed` */
  require(runId: string, options: AppendOptions): void;
  /** What was allowed by {@link require}. */
  apply(runId: string, options: AppendOptions): void;
}

/** Makes empty tables in memory. */
export function createMemoryTables(): MemoryTables {
  const leases = new Map<string, Lease>();
  const claims = new Map<string, Claim>();
  const inbox: InboxMessage[] = [];
  const watchers = new Map<string, Set<() => void>>();
  const isOwner = (runId: string, token: number | undefined) =>
    token === undefined
      ? (leases.get(runId)?.owner ?? null) === null
      : leases.get(runId)?.token === token;
  const free = (runId: string, { wakeAt, taken, quiet }: Release) => {
    const lease = leases.get(runId);
    if (lease !== undefined) {
      leases.set(runId, { ...lease, owner: null, until: 0, wakeAt, taken, quiet });
    }
  };
  return {
    grant({ runId, owner, now, until, isGone }) {
      const before = leases.get(runId);
      if (before?.owner != null && before.until > now && !isGone(before.owner)) return undefined;
      const token = (before?.token ?? 0) + 1;
      const taken = before?.taken ?? 0;
      return { runId, owner, token, until, wakeAt: null, taken, quiet: false };
    },
    put: (lease) => void leases.set(lease.runId, lease),
    require(runId, { token, claim }) {
      if (!isOwner(runId, token)) throw notOwner(runId, leases.get(runId));
      const other = claim && claims.get(claim.key);
      if (other !== undefined && other.runId !== runId) throw claimed(other);
    },
    apply(runId, { claim, dropClaims = [], commitClaims, release }) {
      if (claim !== undefined) claims.set(claim.key, { ...claim, runId, committed: false });
      for (const key of dropClaims) if (claims.get(key)?.runId === runId) claims.delete(key);
      if (commitClaims === true) {
        for (const one of claims.values()) {
          if (one.runId === runId) claims.set(one.key, { ...one, committed: true });
        }
      }
      if (release !== undefined) free(runId, release);
    },
    renew(runId, token, until) {
      const lease = leases.get(runId);
      if (lease === undefined || lease.owner === null || lease.token !== token) return false;
      leases.set(runId, { ...lease, until });
      return true;
    },
    release(runId, token, how) {
      if (leases.get(runId)?.token === token) free(runId, how);
    },
    leaseOf: (runId) => leases.get(runId),
    leases: () => [...leases.values()],
    claimOf: (key) => claims.get(key),
    post(message) {
      const id = inbox.length + 1;
      inbox.push({ ...message, id });
      for (const tell of watchers.get(message.runId) ?? []) queueMicrotask(tell);
      return id;
    },
    messages: (runId, after) => inbox.filter((one) => one.runId === runId && one.id > after),
    lastMessages: () => new Map(inbox.map(({ runId, id }) => [runId, id])),
    watch(runId, onMessage) {
      const told = watchers.get(runId) ?? new Set();
      watchers.set(runId, told);
      told.add(onMessage);
      return () => {
        told.delete(onMessage);
        if (told.size === 0) watchers.delete(runId);
      };
    },
  };
}

/** An append by who does not own the run. */
export function notOwner(runId: string, lease: Lease | undefined): AlasError {
  const { owner = null, until = 0 } = lease ?? {};
  const now =
    owner === null
      ? 'somebody else had it since'
      : `it belongs to ${owner} until ${new Date(until).toISOString()}`;
  return new AlasError('not_owner', `run ${JSON.stringify(runId)} is not ours: ${now}`, lease);
}

/** A claim on a key that another run has claimed. */
export function claimed(claim: Claim): AlasError {
  const message = `the key ${claim.key} is claimed by ${claim.nodeId} of run ${JSON.stringify(claim.runId)}`;
  return new AlasError('claimed', message, claim);
}
