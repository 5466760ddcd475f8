import { AlasError } from 'alas-jssp';
import { judge } from '../../src/judge/judge.js';
import { formatClock } from '../../src/model/clock.js';
import type { CoordinationPlan, Drive } from '../../src/model/plan.js';
import { type Problem, readProblem } from '../../src/model/problem.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../src/model/problem-schema.js';
import { planCoordination } from '../../src/plan/plan.js';
import { type CoordinationRepair, repairCoordination } from '../../src/repair/repair.js';
import { findFaults } from '../oracle/oracle.js';
import { changingRides } from './changing-rides.js';

/** Repairs of changing rides, beside plans of what was left at that minute. */
export interface RepairTrial {
  readonly steps: number;
  readonly repaired: number;
  /** Steps without a repair, though planning from scratch leads to a plan. */
  readonly losses: readonly string[];
  /** Repairs that judge or oracle refuse. */
  readonly wrong: readonly string[];
  /** Steps by the phase of the repair, or its code, and whether there is a plan from scratch. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Repairs the rides of each seed three times, and plans what is left from scratch with the same budget. */
export function repairChangingRides(
  seeds: readonly number[],
  twice: boolean,
  budget: { readonly iterations: number },
): RepairTrial {
  const [losses, wrong, counts] = [[] as string[], [] as string[], new Map<string, number>()];
  let [steps, repaired] = [0, 0];
  for (const seed of seeds) {
    const { problem, first, gaps, change } = changingRides(seed, twice);
    let plan = tryTo(() => planCoordination(problem, { budget, seed }).plan);
    let before = problem;
    for (
      let step = 0, now = first;
      step < 3 && !(plan instanceof AlasError);
      now += gaps[step++] ?? 0
    ) {
      const { problem: changed, kinds } = change(before, now);
      const past = { plan, now };
      const repair: CoordinationRepair | AlasError = tryTo(() =>
        repairCoordination(changed, past.plan, { now, budget, seed }),
      );
      if (repair instanceof AlasError && repair.code === 'bad_event') break;
      const scratch = planFromScratch(changed, past, budget, seed);
      const result = repair instanceof AlasError ? repair.code : repair.phase;
      const key = `${result} / ${scratch === null ? 'none' : 'plan'} from scratch`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      steps++;
      const context = `seed ${seed}, ${twice ? 'twice, ' : ''}${formatClock(now)}, ${kinds.join(', ')}: ${result}`;
      if (repair instanceof AlasError) {
        if (scratch !== null) losses.push(context);
        break;
      }
      repaired++;
      const faults = [
        ...judge(changed, repair.plan, past).violations,
        ...findFaults(changed, repair.plan, past),
      ];
      if (faults.length > 0) wrong.push(`${context}: ${JSON.stringify(faults)}`);
      before = changed;
      plan = repair.plan;
    }
  }
  return { steps, repaired, losses, wrong, counts };
}

function tryTo<T>(make: () => T): T | AlasError {
  try {
    return make();
  } catch (error) {
    if (error instanceof AlasError) return error;
    throw error;
  }
}

/** A plan that begins as `past` and was planned from then on as a problem of its own; null if none was found that the judge accepts. */
function planFromScratch(
  problem: Problem,
  past: { readonly plan: CoordinationPlan; readonly now: number },
  budget: { readonly iterations: number },
  seed: number,
): CoordinationPlan | null {
  const begun = past.plan.actions.filter(({ start }) => start < past.now);
  const file = problemLeft(
    problem,
    begun.filter((one) => one.do === 'drive'),
    past.now,
  );
  if (file === null) return null;
  const rest = tryTo(() => planCoordination(readProblem(file), { budget, seed }).plan);
  if (rest instanceof AlasError) return null;
  const plan = { problem: problem.name, claims: {}, actions: [...begun, ...rest.actions] };
  return judge(problem, plan, past).valid ? plan : null;
}

/** What is left as a problem of its own, everybody being where their last drive ends; null if that is nothing. */
function problemLeft(problem: Problem, begun: readonly Drive[], now: number): ProblemFile | null {
  const { facts } = problem;
  const at = new Map<string, { readonly to: string; readonly end: number }>();
  for (const drive of begun.toSorted((a, b) => a.start - b.start)) {
    for (const who of [drive.vehicle, ...drive.with]) at.set(who, drive);
  }
  const later = (id: string, from: number) =>
    formatClock(Math.max(now, at.get(id)?.end ?? 0, Number.isFinite(from) ? from : 0));
  const vehicles = facts.vehicles.flatMap((one) => {
    const vehicle = problem.vehicles.get(one.id);
    if (vehicle === undefined || vehicle.until <= now) return [];
    const driven = begun.filter((drive) => drive.vehicle === one.id);
    const metres = driven.reduce(
      (sum, { from, to }) => sum + (problem.roads.get(from)?.get(to)?.metres ?? 0),
      0,
    );
    const range = vehicle.range - metres;
    if (range < 0) return [];
    const from = later(one.id, vehicle.from);
    const { range_km: _, ...rest } = one;
    return [
      {
        ...{ ...rest, at: at.get(one.id)?.to ?? one.at, from },
        ...(Number.isFinite(range) && { range_km: range / 1000 }),
      },
    ];
  });
  const rides = facts.rides.flatMap((ride) => {
    const [who] = ride.people;
    const legs = begun.filter((drive) => drive.with.includes(who));
    const begins = legs.findIndex(({ from }) => from === ride.from);
    if (begins < 0) return [ride];
    if (legs.slice(begins).some(({ to }) => to === ride.to)) return [];
    const { pickup: _, ...rest } = ride;
    return [{ ...rest, from: at.get(who)?.to ?? ride.from }];
  });
  if (rides.length === 0 || vehicles.length === 0) return null;
  const riders = new Set(rides.flatMap(({ people }) => people));
  const people = facts.people
    .filter(({ id }) => riders.has(id))
    .map((one) => ({
      ...{ ...one, at: at.get(one.id)?.to ?? one.at },
      from: later(one.id, problem.people.get(one.id)?.from ?? 0),
    }));
  const { places, roads, traffic, objective } = facts;
  return JSON.parse(
    JSON.stringify({
      ...{ schema: PROBLEM_SCHEMA, name: 'rest', places, roads, traffic, objective },
      ...{ people, vehicles, rides },
    }),
  );
}
