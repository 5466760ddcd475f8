import { InputError } from '@alas-jssp/core/errors';
import { type DisruptionEvent, readEvents } from '../../disruption/index.js';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { instanceName } from '../../jssp/formats/source.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import { type Plan, scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { seedOf } from '../../jssp/seeds.js';
import { type InstanceSource, resolveSource } from '../../jssp/suites.js';
import { wordsOf } from '../../jssp/words.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { repair } from '../../lcrp/engine.js';
import { judgeExecution, worstViolation } from '../../lcrp/judge-repair.js';
import { costOfLimits } from '../../lcrp/metrics/limits-cost.js';
import { measureRepair } from '../../lcrp/metrics/metrics.js';
import { describeLostPin } from '../../lcrp/pins/lost-pins.js';
import { repairPlan } from '../../lcrp/plan/repair-plan.js';
import { resolvePolicy } from '../../lcrp/policy/policy-file.js';
import { counted } from '../../report/format.js';
import { validate } from '../../validator/index.js';
import { writeOutput } from '../common/files.js';
import { withGivenObjective } from '../common/given-objective.js';
import { type GivenTime, timeOf } from '../common/options.js';
import { printError, remark, remarkVerdict } from '../common/output.js';
import { readPlanOf, warnIfOtherInstance, writePlanFile } from '../common/plan-files.js';
import { exitCode, type Session } from '../common/session.js';
import { warnAfterShifts } from '../common/shop-times.js';
import { printRows } from '../common/tables.js';
import { locateEventError, parseEventOptions } from './event-options.js';
import { describeExplanation, editColumns, explain } from './explanation.js';
import { describe, outcomeColumns, type RepairOutcome, toJson } from './outcome.js';
import type { RepairPlanOptions } from './plan.js';

/** The options of `alas-jssp repair` for a disrupted plan. */
interface RepairEventsOptions extends RepairPlanOptions {
  event?: string[];
  events?: string;
  now?: number | undefined;
  method: string;
  outInstance?: string;
  explain: boolean;
}

/** The same before the time is parsed. */
export type GivenRepairOptions = Omit<RepairEventsOptions, 'now'> & { now?: GivenTime };

/** Repairs a plan in execution after events and returns the exit code. */
export async function repairAfterEvents(
  session: Session,
  spec: string,
  file: string,
  given: GivenRepairOptions,
): Promise<number> {
  const source = resolveSource(spec);
  const instance = source.load();
  const options: RepairEventsOptions = { ...given, now: timeOf(given.now, instance, '--now') };
  const method = findMethod(options.method);
  const named = resolvePolicy(options.policy ?? 'default', instance);
  const policy = withGivenObjective(named, options.objective);
  const { events, inTurn } = eventsOf(session, options, instance, source.name);
  const now = options.now ?? lastKnownTime(events);
  const planFile = await readPlanOf(session, file, instance);
  for (const line of warnIfOtherInstance(planFile, source.name)) remark(session, line);
  const seed = seedOf(options.seed, source, 0, 'repair');

  const { plan } = planFile;
  const { schedule, violations } = await scheduleToFollow(session, instance, plan, seed);
  const found = judgeExecution(schedule);
  if (!found.executable) {
    const problem = worstViolation(found)?.message;
    printError(
      session,
      `no schedule was found that can be followed until ${wordsOf(instance).time(now)}: ${problem}`,
    );
    return exitCode.no;
  }
  const tooLate = inTurn ? 'skip' : 'refuse';
  const result = await repair({ schedule, events, now }, policy, { method, seed, tooLate }).catch(
    (error: unknown) => {
      throw locateEventError(error, { schedule, events, now }, options.events);
    },
  );
  const { skipped } = result.applied;
  if (skipped.length > 0) {
    remark(
      session,
      `${counted(skipped.length, 'event')} came too late: ${skipped[0].reason.problem}`,
    );
  }

  writeResult(result.schedule, source, options);
  const outcome = {
    instance: source.name,
    method: method.name,
    violations,
    applied: result.applied,
    judgement: result.judgement,
    metrics: measureRepair(result),
    objective: result.policy.objective,
    lostPins: result.lostPins,
    explanation: options.explain ? explain(result, await costOfLimits(result)) : null,
  };
  await printOutcome(session, outcome, options);
  for (const pin of result.lostPins) {
    remark(session, `warning: ${describeLostPin(pin, result.task, method.name)}`);
  }
  warnAfterShifts(session, result.schedule);
  const { judgement } = result;
  if (judgement.feasible) return exitCode.done;
  const worst = worstViolation(judgement) ?? judgement.violations[0];
  const verdict = judgement.executable ? 'a deadline is missed' : 'the plan cannot be executed';
  printError(session, `${verdict}: ${worst?.message}`);
  return exitCode.no;
}

/** With an explanation, tables show the edits and the outcome is a remark. */
async function printOutcome(
  session: Session,
  outcome: RepairOutcome,
  { format }: RepairEventsOptions,
): Promise<void> {
  const { explanation } = outcome;
  const data = toJson(outcome);
  if (explanation === null) {
    await printRows(session, format, outcomeColumns(outcome), [outcome], data);
    return remarkVerdict(session, format, describe(outcome));
  }
  const { instance } = outcome.applied;
  await printRows(session, format, editColumns(instance), explanation.edits, data);
  remark(session, describe(outcome));
  for (const line of describeExplanation(explanation, instance)) remark(session, line);
}

function eventsOf(
  session: Session,
  { event: texts = [], events: file, now }: RepairEventsOptions,
  instance: Instance,
  name: string,
): { readonly events: readonly DisruptionEvent[]; readonly inTurn: boolean } {
  if (file === undefined) return { events: parseEventOptions(texts, now, instance), inTurn: false };
  const read = readEvents(file, { instance, knownBy: now });
  const { events, instance: claimed, inTurn = false } = read;
  if (claimed !== undefined && !isSameInstanceName(claimed, name)) {
    remark(session, `warning: the events name the instance ${claimed}, not ${name}`);
  }
  return { events: inTurn ? eventsOfInstant(session, events, now) : events, inTurn };
}

/** The events of one instant, by default the first. */
function eventsOfInstant(
  session: Session,
  events: readonly DisruptionEvent[],
  now: number | undefined,
): readonly DisruptionEvent[] {
  const instants = [...new Set(events.map(({ at }) => at))];
  const instant = now ?? instants[0];
  const others = instants.filter((at) => at !== instant).join(', ');
  const found = events.filter(({ at }) => at === instant);
  if (found.length === 0 && now !== undefined) {
    const hint = others === '' ? 'name a file with disruptions' : `give --now ${others}`;
    throw new InputError('no_events', `no event becomes known at ${now}`, hint, {}, now);
  }
  if (others !== '') {
    remark(
      session,
      `only events known at ${instant} are repaired; others become known at ${others} (--now)`,
    );
  }
  return found;
}

/** The time at which the last event becomes known. */
function lastKnownTime(events: readonly DisruptionEvent[]): number {
  if (events.length > 0) return events.reduce((latest, { at }) => Math.max(latest, at), 0);
  throw new InputError(
    'no_events',
    'there are no events, so the time is unknown',
    'give --now or an event',
  );
}

/**
 * The schedule that the shop follows. A plan that breaks a rule other than a deadline cannot be in
 * execution; its repaired version is followed instead.
 */
export async function scheduleToFollow(
  session: Session,
  instance: Instance,
  plan: Plan,
  seed: number,
): Promise<{ schedule: Schedule; violations: number }> {
  const { total, counts } = validate(instance, plan);
  if (total === counts.deadline) {
    return { schedule: scheduleFromPlan(instance, plan), violations: total };
  }
  const { schedule } = await repairPlan(instance, plan, { seed });
  const what = counted(total, 'violation');
  remark(session, `the plan is invalid, ${what}: it is repaired before the events`);
  return { schedule, violations: total };
}

/** Writes the plan and the instance after the events; the plan names that instance if it is written. */
function writeResult(
  schedule: Schedule,
  source: InstanceSource,
  { out, outInstance }: RepairEventsOptions,
): void {
  if (outInstance !== undefined) writeOutput(outInstance, writeInstanceJson(schedule.instance));
  if (out === undefined) return;
  writePlanFile(out, schedule, outInstance === undefined ? source.name : instanceName(outInstance));
}
