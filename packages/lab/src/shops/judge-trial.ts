// The validator and the hot judge against the plain judge.
import { assignModes, createSchedule, type Instance, planFromSchedule } from 'alas-jssp/jssp';
import { createJudge, isFeasible, type Violation, validate } from 'alas-jssp/validator';
import type { ShopCase } from './cases.js';
import { modeNumbers } from './instances.js';
import { judgePlain, plainMakespan } from './plain-judge.js';
import type { PlainPlan } from './shop.js';

/** Differences between the judges in the plans of a case, and how many plans had no fault. */
export function tryJudges({ shop, instance, plans }: ShopCase) {
  const problems: string[] = [];
  let valid = 0;
  const judge = createJudge(instance);
  for (const plan of plans) {
    const faults = judgePlain(shop, plan);
    if (faults.length === 0) valid++;
    const start = Int32Array.from(plan.start, (time) => time ?? -1);
    const modes = modeNumbers(shop, plan.mode);
    const assigned = instance.modes === null ? instance : assignModes(instance, modes);
    const schedule = createSchedule(assigned, start);
    const makespan = plainMakespan(shop, plan);
    const tell = (what: string) => problems.push(`${what}; plan ${JSON.stringify(plan)}`);
    if (schedule.makespan !== makespan) tell(`makespan ${schedule.makespan}, not ${makespan}`);
    const doors = { schedule, plan: planFromSchedule(schedule) };
    for (const [door, what] of Object.entries(doors)) {
      const { violations, valid: isValid } = validate(instance, what);
      const found = keysOf(violations, faults);
      if (isValid !== (faults.length === 0) || found.join() !== faults.join()) {
        tell(`validate(${door}): [${found.join(', ')}], not [${faults.join(', ')}]`);
      }
    }
    problems.push(...tryHot(instance, assigned, { plan, start, modes, faults, judge }));
  }
  return { problems, valid };
}

interface HotCase {
  plan: PlainPlan;
  start: Int32Array;
  modes: Int32Array;
  faults: readonly string[];
  judge: ReturnType<typeof createJudge>;
}

/** The judges that say only whether there are faults. In the assigned instance no operation is reassigned. */
function tryHot(
  instance: Instance,
  assigned: Instance,
  { plan, start, modes, faults, judge }: HotCase,
): string[] {
  const problems: string[] = [];
  const tell = (what: string, answer: boolean) =>
    problems.push(
      `${what} says ${answer}, not [${faults.join(', ')}]; plan ${JSON.stringify(plan)}`,
    );
  // An operation that keeps its frozen start in another mode may be at fault for its release or a downtime.
  const isReassigned = faults.some((fault) => fault.startsWith('frozen_reassigned'));
  const expected = faults.length === 0;
  if (!isReassigned && isFeasible(assigned, start) !== expected) tell('isFeasible', !expected);
  const given = instance.modes === null ? undefined : modes;
  if (judge.isFeasible(start, given) !== expected) tell('judge.isFeasible', !expected);
  return problems;
}

/** The keys of the plain judge for violations; a bound that refuses a plan with other faults counts as none. */
function keysOf(violations: readonly Violation[], faults: readonly string[]): string[] {
  return violations
    .filter(({ code }) => code !== 'below_lower_bound' || faults.length === 0)
    .map(keyOf)
    .sort();
}

function keyOf(violation: Violation): string {
  const { code, scope } = violation;
  switch (code) {
    case 'job_precedence':
    case 'lag_too_short':
    case 'lag_too_long':
      return `${code} ${scope.op} ${violation.other}`;
    case 'machine_overlap':
      return `${code} ${[scope.op ?? -1, violation.other].sort((a, b) => a - b).join(' ')}`;
    case 'resource_overload':
      return `${code} ${violation.resource} ${violation.from}`;
    case 'deadline':
      return `${code} job ${scope.job}`;
    default:
      return `${code} ${scope.op}`;
  }
}
