import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError } from '@alas-jssp/core/errors';
import { GENESIS, hashOf, type SealedRow, unreadableFields } from './chain.js';
import { createProtocolCheck, RUN_HAD_ENDED } from './protocol.js';
import type { AuditableLog, LogStore, StoredRow } from './store.js';

/** A fault of one entry, or of a missing one before it. */
export interface LogProblem {
  readonly runId: string;
  readonly version: number;
  /**
   * `order`: no single owner of the run could have written it at this place. `end`: the entries
   * before it do not lead to that end.
   */
  readonly code: 'unreadable' | 'changed' | 'missing' | 'misplaced' | 'head' | 'order' | 'end';
  /** A sentence with the run, the version and the difference. */
  readonly message: string;
}

/** The verification of one run. */
export interface RunVerification {
  readonly runId: string;
  readonly entries: number;
  /** The hash of the last entry: store it elsewhere to detect later whether the log was cut. */
  readonly head: string | null;
  /** Whether the last entry is an EndRun. */
  readonly ended: boolean;
  readonly problems: readonly LogProblem[];
}

/** The verification of a log. */
export interface LogVerification {
  readonly valid: boolean;
  /** Faults of the file itself, one sentence each. */
  readonly faults: readonly string[];
  readonly runs: readonly RunVerification[];
}

/** Options of a verification. */
export interface VerifyOptions {
  /** Only this run. Default: all. */
  readonly runId?: string | undefined;
  /**
   * The hash, or its first characters, of an entry known to be in the log. A chain alone cannot
   * reveal that its end was cut off, or the whole log rewritten; an external anchor can.
   */
  readonly head?: string | undefined;
}

/**
 * Recomputes the hash chains of a log. Finds every changed byte of every entry, removed, inserted
 * and moved entries, and those that no single owner of a run could have written at their place;
 * never throws for damage.
 */
export function verifyLog(log: AuditableLog, options: VerifyOptions = {}): LogVerification {
  const { runId: only, head } = options;
  const faults: string[] = [];
  const chains = new Map<string, ChainCheck>();
  try {
    faults.push(...log.faults());
    for (const row of log.rows()) {
      if (row.runId === null) {
        faults.push(`an entry (version ${row.version}) names no readable run`);
      } else if (only === undefined || row.runId === only) {
        const chain = chains.get(row.runId) ?? startChain(row.runId, head);
        chains.set(row.runId, chain);
        chain.add(row);
      }
    }
  } catch (error) {
    faults.push((error as Error).message);
  }
  if (only !== undefined && !chains.has(only))
    faults.push(`there is no run ${JSON.stringify(only)}`);
  const runs = [...chains.values()].map((chain) => chain.end());
  if (head !== undefined && runs.length === 0) faults.push(`no entry has the hash ${head}`);
  const valid = faults.length === 0 && runs.every(({ problems }) => problems.length === 0);
  return { valid, faults, runs };
}

/** Recomputes the hash chain of one run, and reads nothing else. */
export function verifyRun(log: LogStore, runId: string): RunVerification {
  const chain = startChain(runId, undefined);
  for (const row of rowsOf(log, runId)) chain.add(row);
  return chain.end();
}

/** The stored rows of a run; a log without raw rows is verified by its entries. */
function* rowsOf(log: LogStore, runId: string): Generator<StoredRow> {
  if ('rows' in log) yield* (log as AuditableLog).rows(runId);
  else {
    for (const entry of log.read({ runId })) {
      yield { ...entry, payload: canonicalJson(entry.payload) };
    }
  }
}

/**
 * Rejects a run whose log was changed: nothing is done or undone because of entries that were
 * forged afterwards.
 *
 * @param file where the log is, for the message
 * @throws InputError `changed_log` with the first difference
 */
export function requireUnchanged(log: LogStore, runId: string, file?: string): void {
  // Entries written out of order were still written, and the fold of the log handles them. An end
  // that its entries do not lead to is for `log verify` and replays: its chain is intact.
  const isChange = ({ code }: LogProblem) => code !== 'order' && code !== 'end';
  const problem = verifyRun(log, runId).problems.find(isChange);
  if (problem === undefined) return;
  const hint = 'see alas-jssp log verify, and continue with an unchanged copy';
  throw new InputError('changed_log', problem.message, hint, { file }, problem);
}

interface ChainCheck {
  add(row: StoredRow): void;
  end(): RunVerification;
}

function startChain(runId: string, anchor: string | undefined): ChainCheck {
  const problems: LogProblem[] = [];
  const name = JSON.stringify(runId);
  const report = (version: number, code: LogProblem['code'], what: string) => {
    problems.push({ runId, version, code, message: `run ${name}, entry ${version}: ${what}` });
  };
  let entries = 0;
  let expected = 0;
  let head: string | null = null;
  let ended = false;
  let anchored = anchor === undefined;
  const outOfOrder = createProtocolCheck();
  /** Hashes that the previous entry may have had: more than one if it was changed. */
  let previous: readonly string[] = [GENESIS.hash];
  /** A changed entry; the next one shows whether its hash or its content was. */
  let doubted: { readonly version: number; readonly own: string } | undefined;

  const settleDoubt = (link: string | undefined): void => {
    if (doubted === undefined) return;
    const what =
      link === undefined
        ? 'it does not match its hash: one of them was changed'
        : link === doubted.own
          ? 'its hash was changed'
          : 'it does not match its hash: it was changed';
    report(doubted.version, 'changed', what);
    doubted = undefined;
  };

  const add = (row: StoredRow): void => {
    entries++;
    head = row.hash;
    ended = row.eventType === 'EndRun';
    anchored ||= row.hash?.startsWith(anchor as string) === true;
    const unreadable = unreadableFields(row);
    const known = previous;
    previous = row.hash === null ? [] : [row.hash];
    const links = (version: number) =>
      unreadable.length > 0
        ? undefined
        : known.find((hash) => hashOf({ ...(row as SealedRow), version }, hash) === row.hash);

    let link = links(expected);
    if (link !== undefined && row.version !== expected) {
      settleDoubt(link);
      report(expected, 'changed', `its version was changed to ${row.version}`);
      expected++;
      return;
    }
    const version = row.version ?? expected;
    if (version > expected) {
      settleDoubt(undefined);
      const range = version - 1 > expected ? `entries ${expected} to ${version - 1} are` : 'it is';
      report(expected, 'missing', `${range} missing`);
    } else if (version < expected) {
      report(version, 'misplaced', `it is in the place of entry ${expected}`);
      previous = known;
    } else if (unreadable.length > 0) {
      settleDoubt(undefined);
      report(version, 'unreadable', `this cannot be read: ${unreadable.join(', ')}`);
    } else {
      link = links(version);
      settleDoubt(link);
      if (link === undefined && known.length > 0) {
        const own = hashOf(row as SealedRow, known[0]);
        doubted = { version, own };
        previous = [row.hash as string, own];
      }
      // The order of changed or missing entries reveals nothing more.
      if (
        problems.every(({ code }) => code === 'order' || code === 'end') &&
        doubted === undefined
      ) {
        const fault = outOfOrder(row as SealedRow);
        const place = row.nodeId === '' ? '' : ` of ${row.nodeId}`;
        if (fault !== undefined) {
          const isEnd = row.eventType === 'EndRun' && fault !== RUN_HAD_ENDED;
          const why = isEnd ? 'its entries do not lead there' : 'not by one owner alone';
          report(
            version,
            isEnd ? 'end' : 'order',
            `${row.eventType}${place}, but ${fault}: ${why}`,
          );
        }
      }
    }
    expected = Math.max(expected, version + 1);
  };

  return {
    add,
    end: () => {
      settleDoubt(undefined);
      if (!anchored)
        report(
          expected,
          'head',
          `no entry before it has the hash ${anchor}: the log was cut or rewritten`,
        );
      return { runId, entries, head, ended, problems };
    },
  };
}
