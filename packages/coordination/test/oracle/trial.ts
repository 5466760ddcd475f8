import { judge } from '../../src/judge/judge.js';
import { VIOLATION_CODES, type ViolationCode } from '../../src/judge/violation.js';
import type { CoordinationPlan } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import { faultKeys } from './faults.js';
import { randomCase } from './generate.js';
import { inject } from './inject.js';
import { mutated, turned } from './mutate.js';
import { findFaults } from './oracle.js';
import type { OraclePast } from './oracle-past.js';
import { randomOf } from './random.js';

/** A plan of which judge and oracle say different things. */
interface Disagreement {
  /** Seed of the problem, and which of its mutated plans it is. */
  readonly seed: number;
  readonly planIndex: number;
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
  readonly past?: OraclePast;
  /** What only the judge finds, and only the oracle. */
  readonly invented: readonly string[];
  readonly missed: readonly string[];
}

export interface TrialResult {
  readonly plans: number;
  readonly valid: number;
  /** How many plans had each kind of violation, by the oracle. */
  readonly counts: ReadonlyMap<ViolationCode, number>;
  readonly disagreements: readonly Disagreement[];
}

/** Mutated plans of one problem. */
const PLANS_PER_PROBLEM = 25;

/** Mutates valid plans of random problems, and compares the judge with the oracle: all codes, and what about. */
export function compareOnMutatedPlans(plans: number, firstSeed: number): TrialResult {
  const counts = new Map<ViolationCode, number>(VIOLATION_CODES.map((code) => [code, 0]));
  const disagreements: Disagreement[] = [];
  let valid = 0;
  for (let at = 0; at < plans; at++) {
    const seed = firstSeed + Math.floor(at / PLANS_PER_PROBLEM);
    const planIndex = at % PLANS_PER_PROBLEM;
    const random = randomOf(1_000_003 * seed + planIndex);
    const made = caseOf(seed);
    // Some have a fault of a certain kind to begin with, so that rare ones come up, too.
    const code = random.chance(0.4) ? random.pick(VIOLATION_CODES) : null;
    const { problem, plan: before } = (code && inject(random, made, code)) ?? made;
    const past = random.chance(0.3) ? { plan: before, now: random.int(60, 200) } : undefined;
    const isTurned = past !== undefined && random.chance(0.4);
    const plan = isTurned
      ? turned(random, problem, before, past.now)
      : mutated(random, problem, before);
    const faults = findFaults(problem, plan, past);
    const expected = faultKeys(faults);
    const found = faultKeys(judge(problem, plan, past).violations);
    if (expected.length === 0) valid++;
    for (const code of new Set(faults.map((fault) => fault.code))) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    const invented = found.filter((key) => !expected.includes(key));
    const missed = expected.filter((key) => !found.includes(key));
    if (invented.length + missed.length === 0) continue;
    const given = past === undefined ? {} : { past };
    disagreements.push({ seed, planIndex, problem, plan, ...given, invented, missed });
  }
  return { plans, valid, counts, disagreements };
}

let latest: { readonly seed: number; readonly made: ReturnType<typeof randomCase> } | undefined;

function caseOf(seed: number) {
  if (latest?.seed !== seed) latest = { seed, made: randomCase(seed) };
  return latest.made;
}
