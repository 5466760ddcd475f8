import type { ListedRun, LogEntry } from '@alas-jssp/workflow';
import { actorOf, failureWords, payloadOf, textOf, toneOf, wordsOfLog } from './log-words.js';
import type { LogDetail, LogEntryView, LogSpan } from './page-data.js';

/** Maximum number of characters of a payload on the page. */
const SHOWN = 1500;

/** A run of a log for the page, from its entries in the order of their versions. */
export function collectLog(
  file: string,
  {
    runId,
    workflow,
    status,
    startedAt,
  }: Pick<ListedRun, 'runId' | 'workflow' | 'status' | 'startedAt'>,
  stored: Iterable<LogEntry>,
): LogDetail {
  const all = [...stored];
  const first = Date.parse(all[0]?.ts ?? '');
  const secondsOf = (entry: LogEntry) => Math.max(0, (Date.parse(entry.ts) - first) / 1000) || 0;
  const entries = all.map((entry) => viewEntry(entry, secondsOf(entry)));
  return {
    title: runId,
    file,
    workflow,
    status,
    began: startedAt,
    seconds: Math.max(0, ...entries.slice(-1).map(({ at }) => at)),
    people: peopleOf(all),
    entries,
    spans: spansOf(all, secondsOf),
    problems: [],
  };
}

function viewEntry(entry: LogEntry, at: number): LogEntryView {
  const { version, nodeId, eventType, payload } = entry;
  const text = JSON.stringify(payload);
  return {
    version,
    at,
    node: nodeId,
    type: eventType,
    tone: toneOf(entry),
    who: actorOf(entry),
    words: wordsOfLog(entry),
    payload: text.length > SHOWN ? `${text.slice(0, SHOWN)} … (${text.length} characters)` : text,
  };
}

/** The participants of a run, in order of their first entry. */
function peopleOf(entries: readonly LogEntry[]): LogDetail['people'] {
  const found = new Map<string, { who: string; did: string; entries: number }>();
  for (const entry of entries) {
    const who = actorOf(entry);
    if (who === null) continue;
    const did = roleOf(entry);
    const one = found.get(`${did} ${who}`) ?? { who, did, entries: 0 };
    one.entries++;
    found.set(`${did} ${who}`, one);
  }
  return [...found.values()];
}

function roleOf(entry: LogEntry): string {
  const { by, handler } = payloadOf(entry);
  if (textOf(by) !== undefined) return 'decided';
  if (textOf(handler) !== undefined) return 'did steps';
  return entry.eventType === 'Compensate' || entry.eventType === 'Register'
    ? 'undoes'
    : 'owned the run';
}

/** Entry types that end a span of work, with their tones. */
const ENDS: Readonly<
  Record<string, Pick<LogSpan, 'tone'> & { words: (entry: LogEntry) => string }>
> = {
  EndNode: { tone: 'good', words: () => 'done' },
  FailNode: { tone: 'bad', words: (entry) => failureWords(payloadOf(entry).error) },
  Retry: { tone: 'again', words: (entry) => failureWords(payloadOf(entry).error) },
  Timeout: { tone: 'bad', words: () => 'ran out of time' },
  Compensated: { tone: 'undo', words: () => 'undone' },
  CompensateFail: { tone: 'bad', words: (entry) => failureWords(payloadOf(entry).error) },
  Approve: { tone: 'wait', words: (entry) => `approved by ${textOf(payloadOf(entry).by)}` },
  Deny: { tone: 'bad', words: (entry) => `denied by ${textOf(payloadOf(entry).by)}` },
  Signal: { tone: 'wait', words: () => 'the message came' },
};

const BEGINNINGS: Readonly<Record<string, string>> = {
  StartNode: 'work',
  Compensate: 'undo',
  AwaitApproval: 'wait',
  AwaitMessage: 'wait',
};

const ENDED: Readonly<Record<string, string>> = {
  Compensated: 'undo',
  CompensateFail: 'undo',
  Approve: 'wait',
  Deny: 'wait',
  Signal: 'wait',
};

/** The spans of work, undo and waiting, by node and in the order of their begin. */
function spansOf(entries: readonly LogEntry[], secondsOf: (entry: LogEntry) => number): LogSpan[] {
  const spans: LogSpan[] = [];
  const open = new Map<string, number>();
  for (const entry of entries) {
    const { nodeId, eventType } = entry;
    const begins = BEGINNINGS[eventType];
    if (begins !== undefined && nodeId !== '') {
      open.set(`${begins} ${nodeId}`, spans.length);
      const tone = begins === 'work' ? 'plain' : (begins as 'undo' | 'wait');
      const from = secondsOf(entry);
      spans.push({
        node: nodeId,
        from,
        to: null,
        tone,
        who: actorOf(entry),
        words: wordsOfLog(entry),
      });
    }
    const ends = ENDS[eventType];
    if (ends === undefined) continue;
    const key = `${ENDED[eventType] ?? 'work'} ${nodeId}`;
    const index = open.get(key);
    if (index === undefined) continue;
    open.delete(key);
    const span = spans[index];
    const words = `${span.words}; ${ends.words(entry)}`;
    spans[index] = { ...span, to: secondsOf(entry), tone: ends.tone, words };
  }
  return spans;
}
