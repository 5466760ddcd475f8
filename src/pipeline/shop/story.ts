import { isObject } from '../../core/json-path.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import type { Json, LogEntry, LogStore, Payloads } from '../../workflow/index.js';
import { downtimesAfter, type ReportedDowntime } from './breakdowns.js';
import { stepOf } from './shop-memory.js';
import type { Happening, Settlement, ShopInput, ShopProposal, TellerNote } from './shop-values.js';
import { NEWS } from './shop-workflow.js';

/** A proposal that was rolled back, and why. */
export interface RolledBack extends RefusalReason {
  readonly label: string | null;
  readonly method: string;
  /** Whether it was approved when its time had passed, so that another one was made. */
  readonly outdated?: true;
}

/** An instant of a shop as its log tells of it. */
export interface ShopTurn {
  /** The instant; at the time by which its proposal was made anew, if one was. */
  happened: Happening;
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
  /** Answers to its proposals, in their order. */
  readonly answers: ProposalAnswer[];
  /** Whether the next instant may come. */
  settled: boolean;
  /** The entry with which it was settled, or since which its proposal waits. */
  changedAt?: number;
}

/** An answer to a proposal. */
interface ProposalAnswer extends TellerNote {
  /** The approval that was answered. */
  readonly name: string;
  readonly approved: boolean;
  /** Why it was declined; undefined if it was not. */
  readonly reason?: string | undefined;
}

/** A message or an answer to a proposal with an idempotency key, and what became of it. */
interface KeyedMessage {
  /** The digest of its request. */
  readonly asked: string;
  /** The number of the message; undefined for an answer to a proposal. */
  readonly message?: number;
  /** The entry that tells what happened; undefined while it waits for its turn. */
  entry?: number;
}

/** The story of a shop: the fold over the log of its run. */
export interface ShopStory {
  readonly runId: string;
  input: ShopInput | null;
  /** Entries so far. */
  entries: number;
  /** The version that is followed. */
  version: number;
  /** Instants that came before those of `turns`: of a story that keeps only the last. */
  dropped: number;
  readonly turns: ShopTurn[];
  /** Downtimes that were reported and may not be over, of all instants. */
  downtimes: readonly ReportedDowntime[];
  /** Numbers of messages in the log that no instant has taken yet. */
  readonly pending: Set<number>;
  /** The last messages with idempotency keys, by key. */
  readonly keyed: Map<string, KeyedMessage>;
  /** The state of the run: it waits for commands or an approval, goes on, or has ended. */
  waitsFor: { readonly kind: 'news' } | { readonly kind: 'approval'; readonly name: string } | null;
  end: Payloads['EndRun'] | null;
}

/** The story before the first entry. */
export function newStory(runId: string): ShopStory {
  return {
    ...{ runId, input: null, entries: 0, version: 1, dropped: 0, turns: [], downtimes: [] },
    ...{ pending: new Set(), keyed: new Map(), waitsFor: null, end: null },
  };
}

/** The story of a run, as far as its log goes, or as it was after an entry. */
export function readStory(store: LogStore, runId: string, upTo?: number): ShopStory {
  const story = newStory(runId);
  for (const entry of store.read({ runId, to: upTo })) tell(story, entry);
  return story;
}

/** The version that a shop follows: 1 until another one was committed. */
export function latestVersion({ version }: ShopStory): number {
  return version;
}

/** Forgets the first instants of a story, but for so many settled ones. */
export function keepLast(story: ShopStory, most: number): void {
  const { turns } = story;
  while (turns.length > most && turns[0].settled) {
    turns.shift();
    story.dropped++;
  }
}

/** An instant as the log tells of it, from the entry that tells what happened. */
export function readTurn(
  store: Pick<LogStore, 'read'>,
  runId: string,
  entry: number,
): ShopTurn | undefined {
  const story = newStory(runId);
  for (const one of store.read({ runId, from: entry })) {
    tell(story, one);
    if (story.turns[0]?.settled === true) break;
  }
  return story.turns[0];
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
  AwaitApproval(story, { version }, { name }: Payloads['AwaitApproval']) {
    const turn = story.turns.at(-1);
    if (turn !== undefined) {
      turn.approval = name;
      turn.changedAt = version;
    }
    story.waitsFor = { kind: 'approval', name };
  },
  Approve(story, _, payload: Payloads['Approve'] & TellerNote) {
    const turn = story.turns.at(-1);
    if (turn?.approval === payload.name) turn.approvedBy = payload.by;
    takeAnswer(story, turn, answerOf(payload, true));
    noteAnswered(story, payload.name);
  },
  Deny(story, _, payload: Payloads['Deny'] & TellerNote) {
    takeAnswer(story, story.turns.at(-1), answerOf(payload, false));
    noteAnswered(story, payload.name);
  },
  Signal(story, _, { name, data, message }: Payloads['Signal']) {
    if (name === NEWS && message !== undefined) story.pending.add(message);
    const { key, asked } = (isObject(data) ? data : {}) as TellerNote;
    if (key === undefined || asked === undefined || message === undefined) return;
    rememberKey(story, key, { asked, message });
  },
  EndNode(story, entry, { output, taken }: Payloads['EndNode']) {
    const step = stepOf(entry.nodeId);
    if (step === '') return;
    story.waitsFor = null;
    STEPS[step]?.(story, entry, output ?? null, taken);
  },
};

/** A proposal that has its answer waits for nothing any more. */
function noteAnswered(story: ShopStory, name: string): void {
  if (story.waitsFor?.kind === 'approval' && story.waitsFor.name === name) story.waitsFor = null;
}

/** Idempotency keys of a shop that are remembered. */
const MOST_KEYS = 1000;

function rememberKey({ keyed }: ShopStory, key: string, message: KeyedMessage): void {
  if (keyed.has(key)) return;
  keyed.set(key, message);
  for (const oldest of keyed.keys()) {
    if (keyed.size <= MOST_KEYS) break;
    keyed.delete(oldest);
  }
}

function takeAnswer(story: ShopStory, turn: ShopTurn | undefined, answer: ProposalAnswer): void {
  if (turn === undefined) return;
  turn.answers.push(answer);
  const { key, asked } = answer;
  if (key === undefined || asked === undefined) return;
  rememberKey(story, key, { asked, entry: turn.entry });
}

function answerOf(
  payload: { name: string; by: string; reason?: string } & TellerNote,
  approved: boolean,
): ProposalAnswer {
  const { name, by, role, key, asked, reason } = payload;
  return { name, by, role, key, asked, approved, reason };
}

/** Notes that the proposal of an instant came to nothing. */
function noteRolledBack(turn: ShopTurn, given: RolledBack, isOutdated: boolean): void {
  const label = turn.proposal?.label ?? null;
  const { method, code, facts, reason } = given;
  const denial = turn.answers.findLast(({ name }) => name === turn.approval);
  const refusal: RefusalReason =
    !isOutdated && denial?.approved === false
      ? { code: 'Denied', facts: { by: denial.by, reason: denial.reason ?? '' }, reason }
      : { reason, ...(code !== undefined && { code }), ...(facts && { facts }) };
  turn.rolledBack.push({ label, method, ...refusal, ...(isOutdated && { outdated: true }) });
  delete turn.proposal;
  delete turn.approval;
  delete turn.approvedBy;
}

type Step = (story: ShopStory, entry: LogEntry, output: Json, taken?: number) => void;

/** The message that the instant to come was told by. */
const told = new WeakMap<ShopStory, number>();

const STEPS: Readonly<Record<string, Step>> = {
  news(story, _, __, taken) {
    if (taken === undefined) return;
    told.set(story, taken);
    story.pending.delete(taken);
  },
  status(story, { version }, output) {
    const happened = output as unknown as Happening;
    const message = told.get(story);
    const turn: ShopTurn = {
      ...{ happened, entry: version, rolledBack: [], answers: [], settled: false },
    };
    story.version = Math.max(story.version, happened.version);
    if (happened.changed) story.downtimes = downtimesAfter(story.downtimes, happened);
    const keyed = happened.key === undefined ? undefined : story.keyed.get(happened.key);
    if (keyed !== undefined && keyed.message === message) keyed.entry = version;
    if (message !== undefined) turn.message = message;
    told.delete(story);
    story.turns.push(turn);
  },
  propose({ turns }, _, output) {
    const turn = turns.at(-1);
    if (turn !== undefined) turn.proposal = output as unknown as ShopProposal;
  },
  commit(story, { version: entry }, output) {
    const turn = story.turns.at(-1);
    if (turn === undefined) return;
    const settled = output as unknown as Settlement;
    if ('version' in settled) {
      story.version = settled.version;
      turn.committed = { ...settled, entry };
      return;
    }
    turn.happened = settled.happened;
    noteRolledBack(turn, { ...settled, label: null }, true);
  },
  rollBack({ turns }, _, output) {
    const turn = turns.at(-1);
    if (turn === undefined) return;
    noteRolledBack(turn, output as unknown as RolledBack, false);
  },
  decline({ turns }, _, output) {
    const turn = turns.at(-1);
    if (turn === undefined) return;
    const declined = output as unknown as RolledBack & { readonly happened: Happening };
    turn.happened = declined.happened;
    noteRolledBack(turn, declined, false);
  },
  settle({ turns }, { version }) {
    const turn = turns.at(-1);
    if (turn === undefined) return;
    turn.settled = true;
    turn.changedAt = version;
  },
};
