import type { Language } from '../../core/languages.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { Shop, WishedStart } from '../../pipeline/shop/follow-shop.js';
import type { RepairRow } from '../../pipeline/shop/row-names.js';
import type { DryRunAnswer } from '../api/shop-schemas.js';

/** A dry run as it goes to another thread: the schedule that a shop follows, and events. */
export interface ShopTrial {
  readonly instance: Instance;
  readonly start: Int32Array;
  readonly version: number;
  readonly now: number;
  readonly events: readonly DisruptionEvent[];
  /** Starts of one's own that are tried instead of events. */
  readonly wished?: readonly WishedStart[] | undefined;
  readonly seed: number;
  /** The policy of the shop. */
  readonly policy: OpenPolicy | undefined;
  /** The language of sentences. */
  readonly language: Language;
  /** The only row to try. Default: all. */
  readonly row?: RepairRow | undefined;
}

/** Limits of a dry run. */
export interface TrialLimits {
  /** Seconds that each repair may take. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** The parts of a shop that a dry run needs. */
export function trialOf(
  { schedule, version, story }: Shop,
  asked: Pick<ShopTrial, 'now' | 'events' | 'wished' | 'language' | 'row'>,
): ShopTrial {
  const { instance, start } = schedule;
  const { seed = 0, policy } = story.input ?? {};
  return { instance, start, version, ...asked, seed, policy };
}

/** A trial, and the starts that it came to. */
export interface Tried {
  readonly answer: DryRunAnswer['trials'][number];
  readonly start: Int32Array | null;
}

/** One row for each schedule, named after the first policy that comes to it. */
export function mergedTrials(tried: readonly Tried[]): DryRunAnswer['trials'] {
  const rows: Tried[] = [];
  for (const one of tried) {
    const row = rows.find(({ start }) => isSameStart(start, one.start));
    if (row === undefined) rows.push(one);
    else row.answer.same.push(one.answer.policy);
  }
  return rows.map(({ answer }) => answer);
}

function isSameStart(a: Int32Array | null, b: Int32Array | null): boolean {
  return a !== null && b !== null && a.every((time, op) => time === b[op]);
}
