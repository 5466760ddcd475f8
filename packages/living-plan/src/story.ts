import type { RefusalReason } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json, LogEntry, LogStore, Payloads } from '@alas-jssp/workflow';
import type { CommandMeta, CommittedVersion, PlanKind, Settlement } from './plan-values.js';
import { PLAN_COMMAND, stepOf } from './step-names.js';

/** A proposal that was rolled back, and why. */
export interface RolledBack extends RefusalReason {
  readonly label: string | null;
  readonly method: string;
  /** Set if it was outdated when approved, and another one was computed. */
  readonly outdated?: true;
}

/** The record of an instant, read from the log. */
export interface PlanTurn<K extends PlanKind = PlanKind> {
  /** The instant; at the later time if its proposal was recomputed. */
  instant: K['Instant'];
  /** The log entry of its effect. */
  readonly entry: number;
  /** The latest proposal. */
  proposal?: K['Proposal'];
  readonly rolledBack: RolledBack[];
  /** The name of the approval of the proposal. */
  approval?: string;
  /** The name that approved it, if any. */
  approvedBy?: string;
  /** The committed version, and the entry of the commit. */
  committed?: CommittedVersion & K['Figures'] & { readonly entry: number };
  /** The number of the message with its command. */
  message?: number;
  /** The answers to its proposals, in order. */
  readonly answers: ProposalAnswer[];
  /** Whether the instant is finished. */
  settled: boolean;
  /** The entry that settled it, or with which its proposal began to wait. */
  changedAt?: number;
}

/** An answer to a proposal. */
interface ProposalAnswer extends CommandMeta {
  /** The name of the answered approval. */
  readonly name: string;
  readonly approved: boolean;
  /** The reason of a decline. */
  readonly reason?: string | undefined;
}

/** A message or an answer to a proposal with an idempotency key, and its result. */
interface KeyedMessage {
  /** The digest of its request. */
  readonly digest: string;
  /** The number of the message; undefined for an answer to a proposal. */
  readonly message?: number;
  /** The entry of its effect; undefined while it is queued. */
  entry?: number;
}

/** The story of a plan: a fold over the log of its run. */
export interface PlanStory<K extends PlanKind = PlanKind> {
  readonly runId: string;
  input: K['Input'] | null;
  /** The number of entries so far. */
  entries: number;
  /** The version that is followed. */
  version: number;
  /** The number of dropped instants before `turns`. */
  dropped: number;
  readonly turns: PlanTurn<K>[];
  /** The notes of its kind on the instants. */
  notes: K['Notes'];
  /** The numbers of logged messages that no instant has processed yet. */
  readonly pending: Set<number>;
  /** The latest messages with idempotency keys, by key. */
  readonly keyed: Map<string, KeyedMessage>;
  /** The state of the run: it waits for commands or an approval, goes on, or has ended. */
  waitsFor:
    | { readonly kind: 'command' }
    | { readonly kind: 'approval'; readonly name: string }
    | null;
  end: Payloads['EndRun'] | null;
}

/** How the stories of one kind of plan are read. */
export interface StoryReader<K extends PlanKind> {
  /** The name of this kind of plan in messages, such as `shop`. */
  readonly noun: string;
  /** The story before the first entry. */
  newStory(runId: string): PlanStory<K>;
  addEntry(story: PlanStory<K>, entry: LogEntry): void;
  /** Reads the story of a run to the end of its log, or up to an entry. */
  readStory(store: Pick<LogStore, 'read'>, runId: string, upTo?: number): PlanStory<K>;
  /** Reads the record of an instant from the log, by the entry of its effect. */
  readTurn(store: Pick<LogStore, 'read'>, runId: string, entry: number): PlanTurn<K> | undefined;
}

/**
 * Creates the reader of the stories of a kind of plan.
 *
 * @param notes the notes of a new story
 * @param note the notes after an instant that changes the plan
 */
export function storyReader<K extends PlanKind>(
  noun: string,
  notes: K['Notes'],
  note: (notes: K['Notes'], instant: K['Instant']) => K['Notes'] = (same) => same,
): StoryReader<K> {
  const newStory = (runId: string): PlanStory<K> => ({
    runId,
    input: null,
    entries: 0,
    version: 1,
    dropped: 0,
    turns: [],
    notes,
    pending: new Set(),
    keyed: new Map(),
    waitsFor: null,
    end: null,
  });
  const addEntry = (story: PlanStory<K>, entry: LogEntry) => {
    const { turns } = story;
    const known = turns.length;
    story.entries = entry.version + 1;
    ENTRY_READERS[entry.eventType]?.(story, entry, entry.payload as never);
    if (turns.length === known) return;
    const { instant } = turns[known];
    if (instant.changed) story.notes = note(story.notes, instant);
  };
  return {
    noun,
    newStory,
    addEntry,
    readStory(store, runId, upTo) {
      const story = newStory(runId);
      for (const entry of store.read({ runId, to: upTo })) addEntry(story, entry);
      return story;
    },
    readTurn(store, runId, from) {
      const story = newStory(runId);
      for (const entry of store.read({ runId, from })) {
        addEntry(story, entry);
        if (story.turns[0]?.settled === true) break;
      }
      return story.turns[0];
    },
  };
}

/** Drops the oldest settled instants of a story beyond a number. */
export function keepLast(story: PlanStory, most: number): void {
  const { turns } = story;
  while (turns.length > most && turns[0].settled) {
    turns.shift();
    story.dropped++;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each type of entry has its own payload type
type EntryReader = (story: PlanStory, entry: LogEntry, payload: any) => void;

const ENTRY_READERS: Readonly<Record<string, EntryReader>> = {
  StartRun(story, _, { input }: Payloads['StartRun']) {
    story.input = input as unknown as PlanKind['Input'];
  },
  EndRun(story, _, payload: Payloads['EndRun']) {
    story.end = payload;
    story.waitsFor = null;
  },
  AwaitMessage(story) {
    story.waitsFor = { kind: 'command' };
  },
  AwaitApproval(story, { version }, { name }: Payloads['AwaitApproval']) {
    const turn = story.turns.at(-1);
    if (turn !== undefined) {
      turn.approval = name;
      turn.changedAt = version;
    }
    story.waitsFor = { kind: 'approval', name };
  },
  Approve(story, _, payload: Payloads['Approve'] & CommandMeta) {
    const turn = story.turns.at(-1);
    if (turn?.approval === payload.name) turn.approvedBy = payload.by;
    takeAnswer(story, turn, answerOf(payload, true));
    noteAnswered(story, payload.name);
  },
  Deny(story, _, payload: Payloads['Deny'] & CommandMeta) {
    takeAnswer(story, story.turns.at(-1), answerOf(payload, false));
    noteAnswered(story, payload.name);
  },
  Signal(story, _, { name, data, message }: Payloads['Signal']) {
    if (name === PLAN_COMMAND && message !== undefined) story.pending.add(message);
    const { key, digest } = (isObject(data) ? data : {}) as CommandMeta;
    if (key === undefined || digest === undefined || message === undefined) return;
    rememberKey(story, key, { digest, message });
  },
  EndNode(story, entry, { output, taken }: Payloads['EndNode']) {
    const step = stepOf(entry.nodeId);
    if (step === '') return;
    story.waitsFor = null;
    STEPS[step]?.(story, entry, output ?? null, taken);
  },
};

/** Ends the wait for an approval that was answered. */
function noteAnswered(story: PlanStory, name: string): void {
  if (story.waitsFor?.kind === 'approval' && story.waitsFor.name === name) story.waitsFor = null;
}

/** The number of idempotency keys of a plan that are remembered. */
const MOST_KEYS = 1000;

function rememberKey({ keyed }: PlanStory, key: string, message: KeyedMessage): void {
  if (keyed.has(key)) return;
  keyed.set(key, message);
  for (const oldest of keyed.keys()) {
    if (keyed.size <= MOST_KEYS) break;
    keyed.delete(oldest);
  }
}

function takeAnswer(story: PlanStory, turn: PlanTurn | undefined, answer: ProposalAnswer): void {
  if (turn === undefined) return;
  turn.answers.push(answer);
  const { key, digest } = answer;
  if (key === undefined || digest === undefined) return;
  rememberKey(story, key, { digest, entry: turn.entry });
}

function answerOf(
  payload: { name: string; by: string; reason?: string } & CommandMeta,
  approved: boolean,
): ProposalAnswer {
  const { name, by, role, key, digest, reason } = payload;
  return { name, by, role, key, digest, approved, reason };
}

/** Notes that the proposal of an instant was rolled back. */
function noteRolledBack(turn: PlanTurn, given: RolledBack, isOutdated: boolean): void {
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

type StepReader = (story: PlanStory, entry: LogEntry, output: Json, taken?: number) => void;

/** The message whose command the next instant applies. */
const messageOf = new WeakMap<PlanStory, number>();

const STEPS: Readonly<Record<string, StepReader>> = {
  command(story, _, __, taken) {
    if (taken === undefined) return;
    messageOf.set(story, taken);
    story.pending.delete(taken);
  },
  status(story, { version }, output) {
    const instant = output as unknown as PlanKind['Instant'];
    const message = messageOf.get(story);
    const turn: PlanTurn = {
      instant,
      entry: version,
      rolledBack: [],
      answers: [],
      settled: false,
    };
    story.version = Math.max(story.version, instant.version);
    const keyed = instant.key === undefined ? undefined : story.keyed.get(instant.key);
    if (keyed !== undefined && keyed.message === message) keyed.entry = version;
    if (message !== undefined) turn.message = message;
    if (instant.rest === undefined) messageOf.delete(story);
    story.turns.push(turn);
  },
  propose({ turns }, _, output) {
    const turn = turns.at(-1);
    if (turn !== undefined) turn.proposal = output as unknown as PlanKind['Proposal'];
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
    turn.instant = settled.instant;
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
    const declined = output as unknown as RolledBack & { readonly instant: PlanKind['Instant'] };
    turn.instant = declined.instant;
    noteRolledBack(turn, declined, false);
  },
  settle({ turns }, { version }) {
    const turn = turns.at(-1);
    if (turn === undefined) return;
    turn.settled = true;
    turn.changedAt = version;
  },
};
