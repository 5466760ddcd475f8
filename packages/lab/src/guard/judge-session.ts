// What is known of a session, and whether the state of the servers after it is what its report says.
import { setTimeout as wait } from 'node:timers/promises';
import { processesOf } from './guard-process.js';
import type { WorldPlaces } from './real-world.js';
import { textOfWorld, type World, type WorldCall } from './world.js';
import { applyCall } from './world-model.js';

/** Counts of everything that has happened. */
export type Counts = Record<string, number>;

/** A call that the client made. */
export interface MadeCall {
  readonly call: WorldCall;
  readonly key: string;
  /** What the client was told: the status, or that there was no answer. */
  told: string;
}

export interface ReportedSession {
  readonly status: string;
  readonly calls: readonly { call: number; tool: string; status: string; requestKey?: string }[];
  readonly inDoubt: readonly number[];
  readonly remaining: readonly number[];
}

/** Whether a session left nothing that later recoveries would try to take back. */
export function isClean(report: ReportedSession | undefined): boolean {
  return report === undefined || report.status === 'committed' || report.status === 'taken-back';
}

/** The report that lists the calls of a session. */
export function reportOn(
  made: readonly MadeCall[],
  reports: readonly ReportedSession[],
): ReportedSession | undefined {
  const keys = new Set(made.map(({ key }) => key));
  return reports.find(({ calls }) =>
    calls.some(({ requestKey }) => requestKey !== undefined && keys.has(requestKey)),
  );
}

export function count(counts: Counts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

export type Found = [problem: string, facts: unknown];

/** Compares the state after a session with what the report says. */
export function judge(
  before: World,
  after: World,
  made: readonly MadeCall[],
  report: ReportedSession | undefined,
  counts: Counts,
): Found[] {
  const found: Found[] = [];
  const fates = made.map((one) => fateOf(one, report));
  const doubts = fates.filter((fate) => fate === 'doubt').length;
  if (doubts > 0) count(counts, 'sessions with doubts');
  made.forEach((one, i) => {
    const isKept = report?.status === 'committed';
    if (isKept && one.told === 'done' && fates[i] === 'gone') {
      found.push(['a call that was told done is not kept by a commit', one]);
    }
    if (one.told === 'refused' && fates[i] === 'kept') {
      found.push(['a call that was told refused is kept', one]);
    }
    if (one.told.startsWith('no status')) found.push(['an answer has no status', one]);
  });
  const real = textOfWorld(after);
  for (let chosen = 0; chosen < 2 ** doubts; chosen++) {
    let bit = 0;
    let world = before;
    made.forEach(({ call }, i) => {
      const happens = fates[i] === 'kept' || (fates[i] === 'doubt' && (chosen >> bit++) & 1);
      if (happens) world = applyCall(world, call);
    });
    if (textOfWorld(world) === real) return found;
  }
  found.push([
    'the state is not what the report says',
    { fates, before: textOfWorld(before), real },
  ]);
  return found;
}

/** Whether the effect of a call exists after its session, by the report. */
function fateOf({ call, key, told }: MadeCall, report: ReportedSession | undefined) {
  if (call.server === 'somebody') return told === 'done' ? 'kept' : 'gone';
  // Without a report the session was committed before the guard was killed, or had no call at all.
  if (report === undefined)
    return told === 'done' ? 'kept' : told === 'in-doubt' ? 'doubt' : 'gone';
  const known = report.calls.find(({ requestKey }) => requestKey === key);
  if (known === undefined) return 'gone';
  if (report.inDoubt.includes(known.call)) return 'doubt';
  if (report.status === 'committed') return known.status === 'done' ? 'kept' : 'gone';
  return report.remaining.includes(known.call) ? 'kept' : 'gone';
}

/** Servers whose guard was killed end when they read the end of their input; until then they are waited for. */
export async function leftProcesses({ directory }: WorldPlaces): Promise<Found[]> {
  for (let left = 60; left > 0 && processesOf(directory).length > 0; left--) await wait(500);
  const left = processesOf(directory);
  return left.length === 0 ? [] : [['processes are left after the guard has ended', left]];
}
