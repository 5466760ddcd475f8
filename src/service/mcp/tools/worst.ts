import { writeInstanceJson } from '../../../jssp/formats/instance-json.js';
import { writePlanJson } from '../../../jssp/formats/plan-json.js';
import type { Instance } from '../../../jssp/instance.js';
import type { Schedule } from '../../../jssp/schedule.js';
import { plainJson } from '../file-text.js';
import type { ToolCall, ToolLink } from '../tool.js';

/** Rows of a list in an answer: the worst; the rest is behind an address. */
export const WORST = 10;

/** A machine as tools take it back: its name, or else `Machine0`. */
export function machineLabel({ names }: Instance, machine: number): string {
  return names?.machines?.[machine] || `Machine${machine}`;
}

/** Keeps a schedule as a plan that other tools take. */
export function keepPlan({ results, caller }: ToolCall, schedule: Schedule): ToolLink {
  const uri = results.keep(caller.name, plainJson(writePlanJson(schedule)));
  return { uri, name: 'plan', description: 'The whole plan, as JSON; tools take this address' };
}

/** Keeps an instance as it is after events. */
export function keepInstance({ results, caller }: ToolCall, { instance }: Schedule): ToolLink {
  const uri = results.keep(caller.name, plainJson(writeInstanceJson(instance)));
  const description = 'The instance after the events, for which the plan is';
  return { uri, name: 'instance', description };
}
