import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type BudgetLimits,
  type BudgetRefusal,
  type LedgerState,
  LlmError,
  newLedgerState,
  openLedger,
  type PaceLimits,
  type Reservation,
  type Usage,
  type Wait,
} from 'alas-jssp/admission';
import {
  alive,
  enter,
  LEASE,
  type LedgerReply,
  type LedgerReport,
  type LedgerRequest,
  type LeftRequest,
  leave,
  note,
  report,
} from './ledger-messages.js';

/** The input of `alasLedger`. */
export interface LedgerInput {
  /** Limits of the run. */
  readonly budget: BudgetLimits;
  /** Limits of each provider, for all workers together. */
  readonly limits: PaceLimits;
  /** Earlier spending of the run, by a closed ledger. */
  readonly before?: Usage;
  /**
   * Seconds without a sign of life of a request after which its worker counts as dead; default
   * {@link LEASE}.
   */
  readonly lease?: number;
  /** Requests after which it continues as new, unless the server suggests it earlier. */
  readonly turn?: number;
  /** The state from which it continues as new. */
  readonly state?: RunLedgerState;
}

/** The complete state of a ledger. */
interface RunLedgerState {
  readonly spending: LedgerState;
  /** Requests in flight. */
  readonly requests: readonly Admitted[];
  /** Tickets of lost requests that may come back: the newest. */
  readonly lost: readonly string[];
  /** Tickets of ended requests: the newest. */
  readonly done: readonly string[];
  readonly stopped: string | null;
  readonly notes: Readonly<Record<string, string>>;
}

/** Maximum number of waiting updates: the server allows 10 in flight per workflow. */
const WAITING = 8;

/** Seconds after which a request that could not wait here asks again. */
const COME_BACK = 0.5;

/** Number of lost and ended requests that are remembered: delayed messages may arrive late. */
const REMEMBERED = 1000;

/** Checks for silent workers per lease. */
const LOOKS = 3;

/** An admitted request, as the ledger carries it into its next history. */
interface Admitted {
  readonly ticket: string;
  readonly key: string;
  readonly reservation: Reservation;
}

/** A request in the ledger. */
interface Entry {
  readonly ticket: string;
  readonly key: string;
  /** Null while it is queued. */
  reservation: Reservation | null;
  refused: LedgerReply | null;
  /** Number of checks since its last sign of life. */
  silent: number;
  readonly withdrawn: AbortController;
}

/** The ledger of a run: its reactions to messages. */
interface RunLedger {
  readonly entries: ReadonlyMap<string, Entry>;
  request(asked: LedgerRequest): Entry;
  end(left: LeftRequest): void;
  hear(tickets: readonly string[]): void;
  note(worker: string, line: string): void;
  /** Drops the requests of workers that were silent for too long. */
  look(): void;
  secondsLeft(): number | null;
  report(): LedgerReport;
  state(): RunLedgerState;
}

/**
 * Enforces the budget of a run, and the pace at which its workers ask providers: a request enters
 * before it is sent, and leaves when it was answered. The rules are those of a run in one process.
 * It ends, with its report, when its run cancels it at the run's own end.
 */
export async function alasLedger(input: LedgerInput): Promise<LedgerReport> {
  const ledger = openRunLedger(input);
  let waiting = 0;
  let requests = 0;
  let isOver = false;
  setHandler(report, ledger.report);
  setHandler(leave, (left) => left.forEach(ledger.end));
  setHandler(alive, ledger.hear);
  setHandler(note, ledger.note);
  setHandler(enter, async (asked) => {
    requests++;
    asked.left.forEach(ledger.end);
    const entry = ledger.request(asked);
    const isDecided = () => entry.reservation !== null || entry.refused !== null;
    if (!isDecided() && waiting >= WAITING) return { kind: 'later', seconds: COME_BACK };
    waiting++;
    await CancellationScope.nonCancellable(() => condition(() => isDecided() || isOver));
    waiting--;
    const secondsLeft = ledger.secondsLeft();
    if (entry.reservation !== null)
      return secondsLeft === null ? { kind: 'admitted' } : { kind: 'admitted', secondsLeft };
    return entry.refused ?? { kind: 'later', seconds: 0 };
  });

  const isFull = () =>
    workflowInfo().continueAsNewSuggested || requests >= (input.turn ?? Number.POSITIVE_INFINITY);
  const look = ((input.lease ?? LEASE) * 1000) / LOOKS;
  try {
    while (!isFull()) {
      await condition(() => ledger.entries.size > 0 || isFull());
      if (!(await condition(isFull, look))) ledger.look();
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
  isOver = true;
  await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  if (CancellationScope.current().consideredCancelled) return ledger.report();
  return continueAsNew<typeof alasLedger>({ ...input, state: ledger.state() });
}

function openRunLedger({ budget, limits, before, state }: LedgerInput): RunLedger {
  const spending = state?.spending ?? newLedgerState();
  if (state === undefined && before !== undefined) spending.spending.taken = before;
  const waits = new Map<string, LedgerReport['waits'][number]>();
  const onWait = (provider: string, wait: Wait) =>
    void waits.set(provider, { ...wait, provider, at: Date.now() });
  const shared = openLedger({ budget, limits, onWait }, spending);
  const entries = new Map<string, Entry>();
  const lost = new Set<string>(state?.lost);
  const done = new Set<string>(state?.done);
  const notes = new Map(Object.entries(state?.notes ?? {}));
  let stopped = state?.stopped ?? null;
  for (const { ticket, key, reservation } of state?.requests ?? [])
    entries.set(ticket, { ...newEntry(ticket, key), reservation });

  const admit = async (entry: Entry, { provider, least }: LedgerRequest): Promise<void> => {
    try {
      const { signal } = entry.withdrawn;
      await condition(() => signal.aborted || isFirstOfItsKey(entries, entry));
      entry.reservation = await shared.reserve(provider, least, signal);
    } catch (error) {
      if (!(error instanceof LlmError)) return;
      const refusal = error.value as BudgetRefusal;
      stopped ??= refusal.limit;
      entry.refused = { kind: 'refused', message: error.message, refusal };
      entries.delete(entry.ticket);
    }
  };
  const giveUp = (entry: Entry, { outcome, taken }: Omit<LeftRequest, 'ticket'>) => {
    entries.delete(entry.ticket);
    if (entry.reservation !== null) return shared.settle(entry.reservation, outcome, taken);
    entry.refused = { kind: 'later', seconds: 0 };
    entry.withdrawn.abort(new Error('withdrawn'));
  };
  return {
    entries,
    request(asked) {
      const known = entries.get(asked.ticket);
      if (known !== undefined) {
        known.silent = 0;
        return known;
      }
      const entry = newEntry(asked.ticket, asked.key);
      // It left before it entered: no client waits for it.
      if (done.has(asked.ticket)) return { ...entry, refused: { kind: 'later', seconds: 1 } };
      entries.set(asked.ticket, entry);
      void CancellationScope.nonCancellable(() => admit(entry, asked));
      return entry;
    },
    end(left) {
      const entry = entries.get(left.ticket);
      remember(done, left.ticket);
      if (entry !== undefined) return giveUp(entry, left);
      if (lost.delete(left.ticket) && left.taken !== null) shared.bookLate(left.taken);
    },
    hear(tickets) {
      for (const ticket of tickets) {
        const entry = entries.get(ticket);
        if (entry !== undefined) entry.silent = 0;
      }
    },
    note: (worker, line) => void notes.set(worker, line),
    look() {
      for (const entry of [...entries.values()]) {
        if (++entry.silent <= LOOKS) continue;
        if (entry.reservation !== null) remember(lost, entry.ticket);
        giveUp(entry, { outcome: { kind: 'failed' }, taken: null });
      }
    },
    secondsLeft: shared.secondsLeft,
    report: () => ({
      spent: shared.spent(),
      stopped,
      waits: [...waits.values()],
      notes: Object.fromEntries(notes),
      underWay: entries.size,
    }),
    state: () => ({
      spending,
      requests: [...entries.values()].flatMap(({ ticket, key, reservation }) =>
        reservation === null ? [] : [{ ticket, key, reservation }],
      ),
      lost: [...lost],
      done: [...done],
      stopped,
      notes: Object.fromEntries(notes),
    }),
  };
}

/** Adds a ticket; drops the oldest. */
function remember(tickets: Set<string>, ticket: string): void {
  tickets.add(ticket);
  if (tickets.size <= REMEMBERED) return;
  for (const oldest of tickets) return void tickets.delete(oldest);
}

function newEntry(ticket: string, key: string): Entry {
  const withdrawn = new AbortController();
  return { ticket, key, reservation: null, refused: null, silent: 0, withdrawn };
}

/** Whether no equal request is ahead of this one. */
function isFirstOfItsKey(entries: ReadonlyMap<string, Entry>, entry: Entry): boolean {
  for (const other of entries.values()) {
    if (other === entry) return true;
    if (other.key === entry.key) return false;
  }
  return true;
}
