import type { InEachLanguage } from '@alas-jssp/core/languages';
import { stepOf } from '@alas-jssp/living-plan';
import type { LogEntry, LogStore } from '@alas-jssp/workflow';
import {
  addEntry,
  formatCommand,
  formatEnd,
  formatTurn,
  newStory,
  type Sentences,
  storyWords,
} from 'alas-jssp/internal/service';
import type { Instance } from 'alas-jssp/jssp';
import type { ShopStory, ShopTurn } from 'alas-jssp/shop';
import type { ChangeAnswer } from '../api/shop-schemas.js';
import { wireEnds, wireTime, wireWarnings } from '../api/wire.js';
import { SENTENCES } from '../sentences.js';

/** The time scale and the shifts of a shop, which never change. */
type ShopShifts = Pick<Instance, 'timeScale' | 'calendar'>;

/** The change that a log entry represents, after the story has the entry; undefined for most entries. */
function changeOf(
  story: ShopStory,
  entry: LogEntry,
  shop: ShopShifts | null,
  sentences: Sentences,
): ChangeAnswer | undefined {
  const turn = story.turns.at(-1);
  const kind = kindOf(story, entry, turn);
  if (kind === undefined) return undefined;
  const { timeScale = null, calendar = null } = shop ?? {};
  const instant = turn?.instant;
  const makespan = turn?.proposal?.makespan;
  const now = instant?.now ?? story.input?.clock?.start ?? 0;
  const isCommand = kind !== 'opened' && kind !== 'failed';
  const sender = kind === 'opened' ? story.input?.opened : isCommand ? instant : undefined;
  const words = storyWords(timeScale, sentences);
  const line = turn === undefined || !isCommand ? '' : formatTurn(turn, words);
  const end = kind === 'failed' && story.end?.error ? formatEnd(story.end, words) : '';
  return {
    id: String(entry.version),
    kind,
    version: story.version,
    now: wireTime(timeScale, now),
    now_units: now,
    by: sender?.by ?? null,
    role: sender?.role ?? null,
    makespan: makespan === undefined ? null : wireEnds(timeScale, makespan),
    moved: turn?.proposal?.moved ?? 0,
    report: kind === 'committed' && (instant?.events.length ?? 0) > 0,
    command: turn === undefined || !isCommand ? '' : formatCommand(turn, words),
    lines: [line, end].filter((text) => text !== ''),
    warnings:
      makespan === undefined
        ? []
        : wireWarnings({ timeScale, calendar }, makespan.after, sentences),
  };
}

/** Whether a log entry represents a change, after the story has the entry. */
export function isChange(story: ShopStory, entry: LogEntry): boolean {
  return kindOf(story, entry, story.turns.at(-1)) !== undefined;
}

/** A change as {@link changeOf} makes it, in each language. */
export function changeInEachLanguage(
  ...of: [story: ShopStory, entry: LogEntry, shop: ShopShifts | null]
): InEachLanguage<ChangeAnswer> | undefined {
  const en = changeOf(...of, SENTENCES.en);
  return en && { en, de: changeOf(...of, SENTENCES.de) ?? en };
}

function kindOf(
  { end }: ShopStory,
  { eventType, nodeId }: LogEntry,
  turn: ShopTurn | undefined,
): ChangeAnswer['kind'] | undefined {
  if (eventType === 'StartRun') return 'opened';
  if (eventType === 'AwaitApproval') return 'proposal';
  if (eventType === 'EndRun') return end?.status === 'COMPLETED' ? 'closed' : 'failed';
  if (eventType !== 'EndNode' || stepOf(nodeId) !== 'settle' || turn === undefined)
    return undefined;
  const { instant, committed, rolledBack } = turn;
  if (instant.kind === 'nothing' || instant.kind === 'close') return undefined;
  if (committed !== undefined) return 'committed';
  return rolledBack.length > 0 ? 'declined' : 'skipped';
}

/** The types of entries that represent changes, or that the story of changes needs. */
const OF_CHANGES = ['StartRun', 'EndNode', 'AwaitApproval', 'Approve', 'Deny', 'EndRun'] as const;

/** Reads the changes after an entry from the log, beginning at the instant of that entry. */
export function* changesInLog(
  store: Pick<LogStore, 'read'>,
  runId: string,
  after: number,
  shop: ShopShifts | null,
  sentences: Sentences,
): Generator<ChangeAnswer> {
  const story = newStory(runId);
  const from = beginOfInstant(store, runId, after);
  for (const entry of store.read({ runId, from, eventTypes: OF_CHANGES })) {
    addEntry(story, entry);
    story.turns.splice(0, story.turns.length - 1);
    const change = changeOf(story, entry, shop, sentences);
    if (change !== undefined && entry.version > after) yield change;
  }
}

/** The changes of the last instants, the last one first. */
export function lastChangesInLog(
  store: Pick<LogStore, 'read'>,
  runId: string,
  instants: number,
  shop: ShopShifts | null,
  sentences: Sentences,
): ChangeAnswer[] {
  const after = endOfInstantBefore(store, runId, instants);
  return [...changesInLog(store, runId, after, shop, sentences)].reverse();
}

/** The entry that settles the instant before the last `instants` ones; −1 if there is none. */
function endOfInstantBefore(store: Pick<LogStore, 'read'>, runId: string, instants: number) {
  let left = instants;
  const query = { runId, eventTypes: ['EndNode'], descending: true } as const;
  for (const { nodeId, version } of store.read(query)) {
    if (stepOf(nodeId) === 'settle' && left-- === 0) return version;
  }
  return -1;
}

/** The first entry of the instant that was in progress at an entry. */
function beginOfInstant(store: Pick<LogStore, 'read'>, runId: string, at: number): number {
  const query = { runId, to: at, eventTypes: ['EndNode'], descending: true } as const;
  for (const { nodeId, version } of store.read(query)) {
    const step = stepOf(nodeId);
    if (step === 'status') return version;
    if (step === 'settle') return version;
  }
  return 0;
}
