// The search, its bounds and its proofs against CP-SAT and enumeration.
import { AlasError } from '@alas-jssp/core';
import { lowerBound, type Schedule } from 'alas-jssp/jssp';
import { type OptimizeResult, optimize, strongLowerBound } from 'alas-jssp/search';
import type { ShopCase } from './cases.js';
import type { CpSat } from './cp-sat.js';
import { enumerate, type PlainObjective } from './enumerate.js';
import { planOf } from './instances.js';
import { judgePlain, plainMakespan, plainTardiness } from './plain-judge.js';
import type { PlainShop } from './shop.js';

/** What the search did with an objective of a case. */
export interface SearchTrial {
  problems: string[];
  /** `optimal`, `feasible`, `infeasible` (proven), or `none found`. */
  outcome: string;
  /** Whether the value is that of the optimum. */
  isOptimum: boolean;
  isTimed: boolean;
}

/** Steps that enumeration may take; beyond, CP-SAT alone says what is the optimum. */
const STEPS = 30_000;
/** Every so many cases are searched by the clock, with a prover beside. */
const TIMED = 10;

export async function trySearch(
  { seed, shop, instance }: ShopCase,
  objective: PlainObjective,
  cpSat: CpSat,
): Promise<SearchTrial> {
  const problems: string[] = [];
  const optimum = await optimumOf(shop, objective, cpSat, problems);
  const isTimed = seed % TIMED === 0;
  const budget = isTimed ? { seconds: 1 } : { iterations: 400 };
  const settings = { objective, budget, seed, threads: 1 };
  try {
    const result = await optimize(instance, settings);
    problems.push(...judgeResult(shop, objective, result, optimum));
    if (objective === 'makespan') problems.push(...judgeBounds(instance, optimum));
    return {
      problems,
      outcome: result.status,
      isOptimum: result.value === optimum,
      isTimed,
    };
  } catch (error) {
    const code = error instanceof AlasError ? error.code : '';
    const outcome = code === 'no_feasible_schedule' ? 'infeasible' : 'none found';
    if (code !== 'none_found' && code !== 'no_feasible_schedule') {
      problems.push(String((error as Error).stack ?? error));
    }
    if (outcome === 'infeasible' && optimum !== null) {
      problems.push(`${objective}: a false proof that there is no schedule, with ${optimum}`);
    }
    if (outcome === 'none found' && optimum !== null && !isHard(shop)) {
      problems.push(`${objective}: none found, with ${optimum}`);
    }
    return { problems, outcome, isOptimum: optimum === null, isTimed };
  }
}

/** Whether it may be hard to find any schedule. */
function isHard({ jobs, operations }: PlainShop): boolean {
  return (
    jobs.some(({ deadline }) => deadline !== null) ||
    operations.some(({ after }) => after.some(({ maxLag }) => maxLag !== null))
  );
}

/** The optimum; null if there is no schedule, undefined if it is not known. */
async function optimumOf(
  shop: PlainShop,
  objective: PlainObjective,
  cpSat: CpSat,
  problems: string[],
): Promise<number | null | undefined> {
  const answer = await cpSat.solve({ shop, objective, seconds: 60, threads: 1 });
  const listed = shop.operations.length <= 4 ? enumerate(shop, objective, STEPS) : null;
  const known = answer.status === 'optimal' || answer.status === 'infeasible';
  if (listed !== null && known && listed.value !== answer.value) {
    problems.push(`${objective}: CP-SAT says ${answer.value}, enumeration ${listed.value}`);
  }
  if (answer.start !== null && answer.mode !== null) {
    const faults = judgePlain(shop, { start: answer.start, mode: answer.mode });
    if (faults.length > 0) problems.push(`${objective}: CP-SAT's plan has ${faults.join(', ')}`);
  }
  return known ? answer.value : undefined;
}

function judgeResult(
  shop: PlainShop,
  objective: PlainObjective,
  { schedule, value, status, lowerBound: bound }: OptimizeResult,
  optimum: number | null | undefined,
): string[] {
  const problems = judgeSchedule(shop, schedule).map((fault) => `${objective}: ${fault}`);
  const plan = planOf(schedule.instance, schedule.start);
  const own = (objective === 'makespan' ? plainMakespan : plainTardiness)(shop, plan);
  if (own !== value) problems.push(`${objective}: value ${value} of a schedule of ${own}`);
  if (optimum === undefined) return problems;
  if (optimum === null) {
    problems.push(`${objective}: ${value}, but there is no schedule`);
    return problems;
  }
  if (value < optimum) problems.push(`${objective}: ${value} is below the optimum ${optimum}`);
  if (bound.value > optimum) {
    problems.push(`${objective}: bound ${bound.value} (${bound.source}) above ${optimum}`);
  }
  if (status === 'optimal' && value !== optimum) {
    problems.push(`${objective}: false proof of ${value}, the optimum is ${optimum}`);
  }
  return problems;
}

/** Faults of a schedule that the search returned. */
function judgeSchedule(shop: PlainShop, schedule: Schedule): string[] {
  const plan = planOf(schedule.instance, schedule.start);
  if (plan.start.includes(null)) return ['incomplete'];
  return judgePlain(shop, plan);
}

function judgeBounds(instance: ShopCase['instance'], optimum: number | null | undefined): string[] {
  if (optimum === null || optimum === undefined) return [];
  const bounds = { lowerBound: lowerBound(instance), strong: strongLowerBound(instance) };
  return Object.entries(bounds).flatMap(([name, bound]) => {
    const value = typeof bound === 'number' ? bound : bound.value;
    return value > optimum ? [`${name} ${value} is above the optimum ${optimum}`] : [];
  });
}
