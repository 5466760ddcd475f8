import { makesVersions, stepOf } from '@alas-jssp/living-plan/steps';
import type { Json, LogEntry, NewEntry } from '@alas-jssp/workflow';
import type {
  LogPage,
  LogSegment,
  MadeVersion,
  ShopFacts,
  ShopStep,
  TimetableRow,
} from './shop-values.js';

/** Maximum characters of JSON in the answer to a query: the server accepts 2 MB. */
const PAGE = 800_000;

/** A timetable by job and step. */
type Timetable = Map<string, TimetableRow>;

/** The log of a shop in one history, and the facts derived from it. */
export interface ShopLog {
  readonly entries: readonly LogEntry[];
  readonly facts: ShopFacts;
  readonly timetable: Timetable | null;
  append(entries: readonly NewEntry[]): LogEntry[];
  /** Records a worker's report on a version that is about to be logged. */
  noteMade(version: MadeVersion): void;
  /** Records why the shop is stuck; null when it continues. */
  noteProblem(problem: string | null): void;
  page(from: number): LogPage;
  /** The data with which a worker can reproduce the versions of the shop. */
  forStep(): NonNullable<ShopStep['log']>;
}

/** The log before its first entry: of a new shop, or of one that continues. */
export function createShopLog(
  input: Json,
  before: {
    readonly versions: number;
    readonly segments: readonly LogSegment[];
    readonly facts: ShopFacts;
    readonly timetable: readonly TimetableRow[];
  },
): ShopLog {
  const { versions, segments } = before;
  const entries: LogEntry[] = [];
  let { facts } = before;
  let timetable: Timetable | null = new Map();
  const take = (rows: readonly TimetableRow[]) => {
    for (const row of rows) {
      const key = `${row[0]}/${row[1]}`;
      if (row[2] < 0) timetable?.delete(key);
      else timetable?.set(key, row);
    }
  };
  take(before.timetable);
  return {
    entries,
    get facts() {
      return facts;
    },
    get timetable() {
      return timetable;
    },
    append(fresh) {
      const written = fresh.map((entry, k) => {
        return { ...entry, version: versions + entries.length + k, hash: '' };
      });
      entries.push(...written);
      for (const entry of written) facts = factsAfter(facts, entry);
      return written;
    },
    noteMade({ makespan, lateness, sha256, rows }) {
      facts = { ...facts, makespan, lateness, sha256 };
      if (rows === null) timetable = null;
      else take(rows);
    },
    noteProblem(problem) {
      if (problem !== facts.problem) facts = { ...facts, problem };
    },
    page(from) {
      const needed = segments.filter(({ to }) => to > from);
      const page: LogEntry[] = [];
      let size = 0;
      for (const entry of entries.slice(Math.max(0, from - versions))) {
        size += JSON.stringify(entry).length;
        if (size > PAGE && page.length > 0) break;
        page.push(entry);
      }
      return { entries: page, segments: needed, all: versions + entries.length };
    },
    forStep: () => ({ input, segments, entries: entries.filter(makesVersions) }),
  };
}

function factsAfter(
  facts: ShopFacts,
  { eventType, nodeId, payload, version }: LogEntry,
): ShopFacts {
  const known = { ...facts, entries: version + 1 };
  const fields = payload as {
    readonly output?: Json;
    readonly name?: string;
    readonly status?: string;
  };
  if (eventType === 'AwaitMessage') return { ...known, waitsFor: 'command' };
  if (eventType === 'AwaitApproval') return { ...known, waitsFor: fields.name ?? null };
  if (eventType === 'EndRun') return { ...known, waitsFor: null, end: fields.status ?? null };
  if (eventType === 'FailNode') return { ...known, waitsFor: null };
  if (eventType !== 'EndNode') return known;
  const { version: made, now } = (fields.output ?? {}) as { version?: number; now?: number };
  const step = nodeId === 'begin' ? 'settle' : stepOf(nodeId);
  const after = { ...known, waitsFor: null };
  if (step === 'settle') return { ...after, version: made ?? facts.version, now: now ?? facts.now };
  return step === 'commit' ? { ...after, version: made ?? facts.version } : after;
}
