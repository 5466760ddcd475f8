import type { InEachLanguage } from '../../core/languages.js';
import type { Instance } from '../../jssp/instance.js';
import type { Sentences } from '../../jssp/sentences/english.js';
import { stepOf } from '../../pipeline/shop/shop-memory.js';
import { newStory, type ShopStory, type ShopTurn, tell } from '../../pipeline/shop/story.js';
import { storyWords, tellEnd, tellNews, tellTurn } from '../../pipeline/shop/story-lines.js';
import type { LogEntry, LogStore } from '../../workflow/index.js';
import type { ChangeAnswer } from '../api/shop-schemas.js';
import { wireEnds, wireTime, wireWarnings } from '../api/wire.js';
import { SENTENCES } from '../sentences.js';

/** The clock of a shop and its shifts, which stay as they are. */
type ShopShifts = Pick<Instance, 'timeScale' | 'calendar'>;

/** The change that an entry of a shop tells of, once the story has it; undefined for most. */
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
  const happened = turn?.happened;
  const makespan = turn?.proposal?.makespan;
  const now = happened?.now ?? story.input?.clock?.start ?? 0;
  const isNews = kind !== 'opened' && kind !== 'failed';
  const teller = kind === 'opened' ? story.input?.opened : isNews ? happened : undefined;
  const words = storyWords(timeScale, sentences);
  const line = turn === undefined || !isNews ? '' : tellTurn(turn, words);
  const end = kind === 'failed' && story.end?.error ? tellEnd(story.end, words) : '';
  return {
    id: String(entry.version),
    kind,
    version: story.version,
    now: wireTime(timeScale, now),
    now_units: now,
    by: teller?.by ?? null,
    role: teller?.role ?? null,
    makespan: makespan === undefined ? null : wireEnds(timeScale, makespan),
    moved: turn?.proposal?.moved ?? 0,
    report: kind === 'committed' && (happened?.events.length ?? 0) > 0,
    news: turn === undefined || !isNews ? '' : tellNews(turn, words),
    lines: [line, end].filter((text) => text !== ''),
    warnings:
      makespan === undefined
        ? []
        : wireWarnings({ timeScale, calendar }, makespan.after, sentences),
  };
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
  const { happened, committed, rolledBack } = turn;
  if (happened.kind === 'nothing' || happened.kind === 'close') return undefined;
  if (committed !== undefined) return 'committed';
  return rolledBack.length > 0 ? 'declined' : 'skipped';
}

/** The types of entries that tell of changes, or are needed to tell them. */
const OF_CHANGES = ['StartRun', 'EndNode', 'AwaitApproval', 'Approve', 'Deny', 'EndRun'] as const;

/** Changes after an entry, from the log. Reads from the instant of that entry on. */
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
    tell(story, entry);
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

/** The entry that settles the instant before the last so many; −1 if there are no more. */
function endOfInstantBefore(store: Pick<LogStore, 'read'>, runId: string, instants: number) {
  let left = instants;
  const query = { runId, eventTypes: ['EndNode'], descending: true } as const;
  for (const { nodeId, version } of store.read(query)) {
    if (stepOf(nodeId) === 'settle' && left-- === 0) return version;
  }
  return -1;
}

/** The entry from which on an instant is told completely that was under way at another entry. */
function beginOfInstant(store: Pick<LogStore, 'read'>, runId: string, at: number): number {
  const query = { runId, to: at, eventTypes: ['EndNode'], descending: true } as const;
  for (const { nodeId, version } of store.read(query)) {
    const step = stepOf(nodeId);
    if (step === 'status') return version;
    if (step === 'settle') return version;
  }
  return 0;
}
