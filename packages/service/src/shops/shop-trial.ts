import type { Language } from '@alas-jssp/core/languages';
import type { DisruptionEvent } from 'alas-jssp/disruption';
import type { OpenPolicy } from 'alas-jssp/internal/service';
import type { Instance, Schedule } from 'alas-jssp/jssp';
import type { RepairRow, Shop, WishedStart } from 'alas-jssp/shop';
import type { DryRunAnswer } from '../api/shop-schemas.js';

/** The input of a dry run for another thread: the followed schedule of a shop, and events. */
export interface ShopTrial {
  readonly instance: Instance;
  readonly start: Int32Array;
  readonly version: number;
  readonly now: number;
  readonly events: readonly DisruptionEvent[];
  /** Manually proposed starts to try instead of events. */
  readonly wished?: readonly WishedStart[] | undefined;
  readonly seed: number;
  /** The policy of the shop. */
  readonly policy: OpenPolicy | undefined;
  /** The language of sentences. */
  readonly language: Language;
  /** The only row to try. Default: all rows. */
  readonly row?: RepairRow | undefined;
}

/** Limits of a dry run. */
export interface TrialLimits {
  /** Time limit of each repair, in seconds. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Collects the input of a dry run from a shop. */
export function trialOf(
  { schedule, version, story }: Shop,
  request: Pick<ShopTrial, 'now' | 'events' | 'wished' | 'language' | 'row'>,
): ShopTrial {
  const { instance, start } = schedule;
  const { seed = 0, policy } = story.input ?? {};
  return { instance, start, version, ...request, seed, policy };
}

/** A trial and its resulting schedule; null if it is refused. */
export interface ComparedTrial {
  readonly answer: DryRunAnswer['trials'][number];
  readonly schedule: Schedule | null;
}

/** Merges trials with the same schedule into one row, named after the first policy. */
export function mergedTrials(tried: readonly ComparedTrial[]): DryRunAnswer['trials'] {
  const rows: ComparedTrial[] = [];
  for (const one of tried) {
    const row = rows.find(({ schedule }) => isSameSchedule(schedule, one.schedule));
    if (row === undefined) rows.push(one);
    else row.answer.same.push(one.answer.policy);
  }
  return rows.map(({ answer }) => answer);
}

function isSameSchedule(a: Schedule | null, b: Schedule | null): boolean {
  if (a === null || b === null) return false;
  return a.start.every((time, op) => time === b.start[op] && a.mode?.[op] === b.mode?.[op]);
}
