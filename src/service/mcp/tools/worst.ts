import { writeInstanceJson } from '../../../jssp/formats/instance-json.js';
import { writePlanJson } from '../../../jssp/formats/plan-json.js';
import type { Schedule } from '../../../jssp/schedule.js';
import type { ToolDocument } from '../tool.js';

/** Rows of a list in an answer: the worst; the rest is behind an address. */
export const WORST = 10;

/** A schedule as a plan that other tools take. */
export function planDocumentOf(schedule: Schedule): ToolDocument {
  const text = writePlanJson(schedule);
  return { text, name: 'plan', description: 'The whole plan, as JSON; tools take this address' };
}

/** An instance as it is after events. */
export function instanceDocumentOf({ instance }: Schedule): ToolDocument {
  const text = writeInstanceJson(instance);
  return { text, name: 'instance', description: 'The instance after the events, for the plan' };
}
