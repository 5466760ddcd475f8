import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import * as z from 'zod';
import { readBytes } from '../../core/bytes.js';
import { InputError } from '../../core/errors.js';
import { type DisruptionEvent, parseEvents } from '../../disruption/index.js';
import { parseInstance } from '../../jssp/formats/read-instance.js';
import { parsePlan } from '../../jssp/formats/read-plan.js';
import { instanceName } from '../../jssp/formats/source.js';
import type { Instance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import { scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { findBenchmark } from '../../jssp/suites.js';
import { parsePolicy, policies, type RepairPolicy } from '../../lcrp/index.js';
import { validate } from '../../validator/index.js';
import { withoutMarks } from './file-text.js';
import { isResult } from './results.js';
import type { ToolCall } from './tool.js';

const document = (what: string) => z.union([z.string().min(1), z.looseObject({})]).describe(what);

/** The input of tools that take an instance. */
export const instanceInput = document(
  'Name of a benchmark (ft06, ta21, …), an alas:// address of an earlier answer, a file of the folder, or a document of alas://formats',
);

/** The input of tools that take a plan. */
export const planInput = z
  .union([z.string().min(1), z.looseObject({}), z.array(z.looseObject({}))])
  .describe(
    'Entries { job, step, machine, start, end }, a text in JSON or CSV, an alas:// address of an earlier answer, or a file of the folder',
  );

/** The input of tools that take events. */
export const eventsInput = z
  .array(z.looseObject({ kind: z.string() }))
  .min(1)
  .max(1000)
  .describe(
    'Such as { kind: "breakdown", machine: "Machine0", from: 10, to: 25 }; kinds: breakdown, restored, duration, delay, arrival, cancellation; alas://formats has all keys',
  );

/** The input of tools that take the time at which events are reported. */
export const nowInput = z
  .int()
  .min(0)
  .describe('Time at which it is repaired; default: when the last event became known');

/** The input of tools that take a policy. */
export const policyInput = document(
  'default, high-stability, or changes to the default, such as { limits: { most_edited: 10 } }',
);

/**
 * The instance that an agent names.
 *
 * @throws InputError `unknown_instance`, `too_large`, or as its format does
 */
export function readInstanceInput(given: z.output<typeof instanceInput>, call: ToolCall): Instance {
  const instance = loadInstance(withoutMarks(given), call);
  const { operations } = call.limits;
  if (instance.operations <= operations) return instance;
  throw new InputError(
    'too_large',
    `the instance has ${instance.operations} operations`,
    `at most ${operations} are taken here`,
  );
}

function loadInstance(given: string | object, call: ToolCall): Instance {
  if (typeof given !== 'string') return parseInstance(JSON.stringify(given));
  if (isResult(given)) return parseInstance(call.results.read(call.caller.name, given));
  const name = given.replace(/^alas:\/\/instances\//, '');
  const benchmark = findBenchmark(name);
  if (benchmark !== undefined) return benchmark.load();
  if (isDocument(name)) return parseInstance(name);
  return parseInstance(readFolder(name, call), { name: instanceName(name) });
}

/** The plan that an agent gives, whatever is wrong with it. */
export function readPlanInput(
  given: z.output<typeof planInput>,
  instance: Instance,
  call: ToolCall,
): Plan {
  const plan = withoutMarks(given);
  if (typeof plan !== 'string') return parsePlan(JSON.stringify(plan), undefined, instance).plan;
  const isText = isDocument(plan);
  const text = isResult(plan)
    ? call.results.read(call.caller.name, plan)
    : isText
      ? plan
      : readFolder(plan, call);
  return parsePlan(text, undefined, instance).plan;
}

/**
 * The plan that an agent gives, as a schedule that is followed.
 *
 * @throws InputError `infeasible_plan` if it breaks a rule, but for deadlines that it may miss
 */
export function readSchedule(
  given: z.output<typeof planInput>,
  instance: Instance,
  call: ToolCall,
): Schedule {
  const plan = readPlanInput(given, instance, call);
  const { total, counts, violations } = validate(instance, plan, { limit: 1 });
  if (total === counts.deadline) return scheduleFromPlan(instance, plan);
  throw new InputError(
    'infeasible_plan',
    `the plan breaks ${total} rules, such as: ${violations[0].message}`,
    'make it feasible with repair_plan, and give the plan that comes of it',
  );
}

/** Events, and when they are reported. */
export function readEventsInput(
  given: z.output<typeof eventsInput>,
  now: number | undefined,
  instance: Instance,
): { readonly events: readonly DisruptionEvent[]; readonly now: number } {
  const text = JSON.stringify({ schema: 'alas-jssp/events@1', events: withoutMarks(given) });
  const { events } = parseEvents(Buffer.from(text), undefined, { instance, knownBy: now });
  return { events, now: now ?? events.reduce((latest, { at }) => Math.max(latest, at), 0) };
}

/** A policy by its name, or what it changes. */
export function readPolicyInput(
  given: z.output<typeof policyInput> | undefined,
  instance: Instance,
): RepairPolicy {
  const policy = withoutMarks(given ?? 'default');
  if (typeof policy === 'string' && Object.hasOwn(policies, policy)) return policies[policy];
  const changes = typeof policy === 'string' ? policy : { schema: 'alas-jssp/policy@1', ...policy };
  if (typeof changes !== 'string') return parsePolicy(JSON.stringify(changes), instance);
  throw new InputError(
    'no_policy',
    `there is no policy ${JSON.stringify(changes.slice(0, 40))}`,
    `use ${Object.keys(policies).join(', ')} or an object`,
  );
}

/** Whether a text is a document, and no name. */
function isDocument(text: string): boolean {
  return /^\s*[[{]|\n/.test(text);
}

/** Reads a file of the folder that was opened for agents, and of nothing beside or behind it. */
function readFolder(name: string, { folder }: ToolCall): Uint8Array {
  const missing = () => {
    const shown = JSON.stringify(name.slice(0, 60));
    const cure = folder === undefined ? '' : ', or a file of the folder that was opened';
    return new InputError(
      'unknown_instance',
      `there is no benchmark, result or file ${shown}`,
      `give a name of list_instances${cure}`,
    );
  };
  if (folder === undefined || name.includes('\0')) throw missing();
  let path: string;
  try {
    path = realpathSync(resolve(folder, name));
  } catch {
    throw missing();
  }
  if (!path.startsWith(folder + sep)) throw missing();
  return readBytes(path);
}
