import { readClock, readTimes } from './times.js';

/** The claims of an answer about its plan, or about the plan that it judges; null where it makes none. */
export interface PlanClaims {
  readonly feasible: boolean | null;
  readonly km: number | null;
  /** Minutes since midnight. */
  readonly finish: number | null;
}

const YES = /^(?:yes|true|feasible|valid)\b/i;
const NO = /^(?:no|false|infeasible|invalid|not)\b/i;
const LABELLED = /(?:^|\n)[\s*_#>-]*(?:feasible|valid|verdict)[\s*_]*[:=][\s*_]*([^\n]{1,40})/gi;
const STATED =
  /\b(?:plan|schedule|it)\b[^\n.;]{0,40}?\bis\s+(not\s+|in)?(?:fully\s+|completely\s+|entirely\s+)?(feasible|valid)\b/gi;
const KM =
  /\b(?:distance|kilomet(?:er|re)s|km driven|total km)\b[^\n\d]{0,30}?(\d{1,6}(?:\.\d{1,3})?)(?!\d*[:h])/gi;
const FINISH = /(?:^|\n)[\s*_#>-]*(?:finish|finishes|finished|end of plan)\b[^\n]{0,60}/gi;

const CLAIM = /^[\s*_#>-]*(?:feasible|valid|verdict|distance|finish|finishes|finished)[\s*_]*[:=]/i;

/** Whether a line is a claim about the plan, not a part of it. */
export function isClaim(line: string): boolean {
  return CLAIM.test(line);
}

/** Parses the claims of a text; the last of several counts. */
export function claimsOf(text: string): PlanClaims {
  const labels = Array.from(text.matchAll(LABELLED), ({ 1: words }) => yesOrNo(words));
  const stated = Array.from(text.matchAll(STATED), ({ 1: not }) => not === undefined);
  const km = Array.from(text.matchAll(KM), ({ 1: number }) => Number(number)).at(-1);
  const finish = Array.from(text.matchAll(FINISH), ([line]) => readTimes(line)?.start ?? null);
  return {
    feasible: labels.findLast((one) => one !== null) ?? stated.at(-1) ?? null,
    km: km ?? null,
    finish: finish.findLast((one) => one !== null) ?? null,
  };
}

/** Parses the answer to whether a plan is feasible: yes or no at its beginning, else a claim. */
export function readVerdict(text: string): boolean | null {
  const [, word] = /^[\s*_"]*(yes|no)\b/i.exec(text) ?? [];
  return word === undefined ? claimsOf(text).feasible : yesOrNo(word);
}

/** Reads the claims next to the actions of JSON, or in its `claims`. */
export function claimsBeside(beside: Readonly<Record<string, unknown>>): PlanClaims {
  const claims: Record<string, unknown> = { ...beside };
  if (typeof beside.claims === 'object') Object.assign(claims, beside.claims);
  const { feasible = claims.valid, km, finish } = claims;
  const number = typeof km === 'string' ? Number.parseFloat(km) : km;
  return {
    feasible: typeof feasible === 'string' ? yesOrNo(feasible) : isBoolean(feasible),
    km: typeof number === 'number' && number >= 0 && number < 1e6 ? number : null,
    finish: typeof finish === 'string' ? readClock(finish) : null,
  };
}

function yesOrNo(words: string): boolean | null {
  const text = words.replaceAll(/[*_"'`]/g, '').trim();
  if (YES.test(text)) return true;
  return NO.test(text) ? false : null;
}

function isBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
