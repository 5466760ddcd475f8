import type { Instance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import { chooseReading, readingsOf, type ScheduleReading } from './candidates.js';
import type { DecodedEntry } from './entries.js';
import type { TextMessage } from './gathering.js';
import { createIgnoredList, type Ignored, type IgnoredList } from './ignored.js';
import { scanJson } from './json-scan.js';
import type { MakespanClaim, SourceFormat } from './rows.js';
import { readText } from './text-rows.js';

/** A text read as a plan. */
export interface DecodedPlan {
  /** The claims; `makespan` is the claimed one. Empty if the text contains no schedule. */
  readonly plan: Plan & { readonly entries: readonly DecodedEntry[] };
  readonly claimedMakespan: number | null;
  /** Skipped parts that look like a schedule, in the order of the text. */
  readonly ignored: readonly Ignored[];
  /** The formats of the schedule. */
  readonly sources: readonly SourceFormat[];
  /** Number of schedules in the text, the one that counts (from 0, −1 for none), and the reason. */
  readonly candidates: { readonly found: number; readonly chosen: number; readonly why: string };
}

/**
 * Reads a plan from any text, such as the answer of a language model: JSON in any state, tables, CSV, lines in common
 * notations of operations, machine orders; with prose around it, in several versions, or in the transcript of several
 * agents. Only explicit entries are read: ellipses and ranges are not filled in, examples and echoes of the prompt are
 * omitted. Missing parts of an entry come from the instance, and are marked. Never throws; linear in the length of the
 * text.
 *
 * @param instance the instance of the text; without it, machine orders cannot be timed, and only the words before an
 *   example show that it is no answer
 */
export function decodePlan(text: string, instance?: Instance): DecodedPlan {
  const ignored = createIgnoredList();
  const found = readText(text, scanJson(text), ignored);
  const candidates = readingsOf(found, instance, ignored);
  const { index, why } = chooseReading(candidates);
  const chosen = candidates[index];
  noteOthers(candidates, chosen, ignored);
  const makespan = claimedMakespan(found.messages, chosen);
  return {
    plan: { entries: chosen?.entries ?? [], makespan },
    claimedMakespan: makespan,
    ignored: ignored.list(),
    sources: chosen?.sources ?? [],
    candidates: { found: candidates.length, chosen: index, why },
  };
}

function noteOthers(
  candidates: readonly ScheduleReading[],
  chosen: ScheduleReading | undefined,
  ignored: IgnoredList,
): void {
  for (const candidate of candidates) {
    if (candidate === chosen) continue;
    ignored.add('other_schedule', candidate.entries[0].place.line, candidate.entries.length);
  }
}

/**
 * The claimed makespan of a schedule: the last one before its entries in its message, else the first one after them,
 * else the last one in any message.
 */
function claimedMakespan(
  messages: readonly TextMessage[],
  chosen: ScheduleReading | undefined,
): number | null {
  const own = preferFinal(chosen?.message.makespans ?? []);
  const begin = chosen?.entries[0].place.offset ?? 0;
  const beside = own.findLast(({ offset }) => offset < begin) ?? own[0];
  if (beside !== undefined) return beside.value;
  const said = messages.filter(
    ({ speaker, promptWords }) => speaker === 'agent' && promptWords === 0,
  );
  return preferFinal(said.flatMap(({ makespans }) => makespans)).at(-1)?.value ?? null;
}

function preferFinal(claims: readonly MakespanClaim[]): readonly MakespanClaim[] {
  const final = claims.filter(({ isFinal }) => isFinal);
  return final.length > 0 ? final : claims;
}
