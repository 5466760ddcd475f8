import type { Json, LogEntry, LogStore, Payloads } from '../../workflow/index.js';
import { stepOf } from './shop-memory.js';
import type { Happening, Settlement, ShopInput, ShopProposal } from './shop-values.js';

/** A proposal that was rolled back, and why. */
export interface RolledBack {
  readonly label: string | null;
  readonly method: string;
  readonly reason: string;
}

/** An instant of a shop as its log tells of it. */
export interface ShopTurn {
  readonly happened: Happening;
  /** The entry that tells what happened. */
  readonly entry: number;
  /** The proposal that was made last. */
  proposal?: ShopProposal;
  readonly rolledBack: RolledBack[];
  /** The approval that the proposal waits for, or waited for. */
  approval?: string;
  /** Who approved it, if somebody did. */
  approvedBy?: string;
  /** The version that was committed, with the entry that did. */
  committed?: Extract<Settlement, { version: number }> & { readonly entry: number };
  /** The number of the message that told of it. */
  message?: number;
  /** Whether the next instant may come. */
  settled: boolean;
}

/** The story of a shop: the fold over the log of its run. */
export interface ShopStory {
  readonly runId: string;
  input: ShopInput | null;
  /** Entries so far. */
  entries: number;
  readonly turns: ShopTurn[];
  /** The state of the run: it waits for news or an approval, goes on, or has ended. */
  waitsFor: { readonly kind: 'news' } | { readonly kind: 'approval'; readonly name: string } | null;
  end: Payloads['EndRun'] | null;
}

/** The story before the first entry. */
export function newStory(runId: string): ShopStory {
  return { runId, input: null, entries: 0, turns: [], waitsFor: null, end: null };
}

/** The story of a run, as far as its log goes, or as it was after an entry. */
export function readStory(store: LogStore, runId: string, upTo?: number): ShopStory {
  const story = newStory(runId);
  for (const entry of store.read({ runId, to: upTo })) tell(story, entry);
  return story;
}

/** The version that a shop follows: 1 until another one was committed. */
export function latestVersion({ turns }: ShopStory): number {
  for (let i = turns.length - 1; i >= 0; i--) {
    const { committed } = turns[i];
    if (committed !== undefined) return committed.version;
  }
  return 1;
}

/** Adds an entry to a story. */
export function tell(story: ShopStory, entry: LogEntry): void {
  story.entries = entry.version + 1;
  TELL[entry.eventType]?.(story, entry, entry.payload as never);
}

// biome-ignore lint/suspicious/noExplicitAny: each type of entry has a payload of its own
const TELL: Readonly<Record<string, (story: ShopStory, entry: LogEntry, payload: any) => void>> = {
  StartRun(story, _, { input }: Payloads['StartRun']) {
    story.input = input as unknown as ShopInput;
  },
  EndRun(story, _, payload: Payloads['EndRun']) {
    story.end = payload;
    story.waitsFor = null;
  },
  AwaitMessage(story) {
    story.waitsFor = { kind: 'news' };
  },
  AwaitApproval(story, _, { name }: Payloads['AwaitApproval']) {
    const turn = story.turns.at(-1);
    if (turn !== undefined) turn.approval = name;
    story.waitsFor = { kind: 'approval', name };
  },
  Approve(story, _, { name, by }: Payloads['Approve']) {
    const turn = story.turns.at(-1);
    if (turn?.approval === name) turn.approvedBy = by;
  },
  EndNode(story, entry, { output, taken }: Payloads['EndNode']) {
    const step = stepOf(entry.nodeId);
    if (step === '') return;
    story.waitsFor = null;
    STEPS[step]?.(story, entry, output ?? null, taken);
  },
};

type Step = (story: ShopStory, entry: LogEntry, output: Json, taken?: number) => void;

/** The message that the instant to come was told by. */
const told = new WeakMap<ShopStory, number>();

const STEPS: Readonly<Record<string, Step>> = {
  news(story, _, __, taken) {
    if (taken !== undefined) told.set(story, taken);
  },
  status(story, { version }, output) {
    const happened = output as unknown as Happening;
    const message = told.get(story);
    const turn: ShopTurn = { happened, entry: version, rolledBack: [], settled: false };
    if (message !== undefined) turn.message = message;
    told.delete(story);
    story.turns.push(turn);
  },
  propose({ turns }, _, output) {
    const turn = turns.at(-1);
    if (turn !== undefined) turn.proposal = output as unknown as ShopProposal;
  },
  commit({ turns }, { version: entry }, output) {
    const turn = turns.at(-1);
    if (turn === undefined) return;
    turn.committed = { ...(output as unknown as NonNullable<ShopTurn['committed']>), entry };
  },
  rollBack({ turns }, _, output) {
    const turn = turns.at(-1);
    if (turn === undefined) return;
    const { method, reason } = output as unknown as RolledBack;
    turn.rolledBack.push({ label: turn.proposal?.label ?? null, method, reason });
    delete turn.proposal;
    delete turn.approval;
    delete turn.approvedBy;
  },
  settle({ turns }) {
    const turn = turns.at(-1);
    if (turn !== undefined) turn.settled = true;
  },
};
