import {
  dispatch,
  dispatchBest,
  InputError,
  type Instance,
  insertion,
  type Plan,
  type PlanEntry,
  parsePlan,
  planFromSchedule,
  rules,
  type Schedule,
} from '../../browser/index.js';
import { withoutFile } from './instances.js';
import { LIMITS, refuseLongText, withThousands } from './limits.js';

/** The ways to make a plan in the page, by their ids. */
export interface PlanMethod {
  readonly id: string;
  readonly words: string;
}

/** The methods for a shop; rules that need due dates are omitted where there are none. */
export function planMethods(instance: Instance): readonly PlanMethod[] {
  const simple = rules.filter(({ needsDueDates }) => instance.due !== null || !needsDueDates);
  return [
    { id: 'best', words: 'best of all dispatch rules' },
    { id: 'insertion', words: 'insertion heuristic' },
    ...simple.map(({ name }) => ({ id: name, words: `dispatch rule ${name}` })),
  ];
}

/**
 * Makes a schedule by a method of {@link planMethods}.
 *
 * @throws InputError `too_large` for the insertion heuristic beyond its limit in this page; as the methods do
 */
export function makePlan(instance: Instance, id: string): Schedule {
  if (id === 'best') return dispatchBest(instance).schedule;
  if (id !== 'insertion') return dispatch(instance, { rule: id });
  if (instance.operations > LIMITS.insertion) {
    const problem = `the insertion heuristic takes too long in a page beyond ${withThousands(LIMITS.insertion)} operations`;
    throw new InputError('too_large', problem, 'choose a dispatch rule');
  }
  return insertion(instance);
}

/**
 * Reads a plan in JSON or CSV. Its numbers may be anything: the validator judges them.
 *
 * @throws InputError with line and hint; `too_large`
 */
export function readPlanText(text: string, instance: Instance, file?: string): Plan {
  refuseLongText(text);
  if (text.trim() === '') throw new InputError('empty', 'the text is empty', 'paste a plan');
  try {
    return parsePlan(jsonWithin(text), file, instance).plan;
  } catch (error) {
    throw withoutFile(error, file);
  }
}

/** The JSON in a fenced block, as language models answer; other texts are unchanged. */
function jsonWithin(text: string): string {
  const block = /^([\s\S]*?)```(?:json|csv)?[ \t]*\r?\n([\s\S]*?)```/.exec(text);
  if (block === null) return text;
  // Lines keep their numbers.
  return `${block[1].replaceAll(/[^\n]/g, '')}\n${block[2]}`;
}

/**
 * A plan with the faults that language models make: a job starts its step too early, two operations share a machine, a
 * duration is wrong, an operation is missing, a machine is wrong. Always the same for the same schedule.
 */
export function withFaults(schedule: Schedule): Plan {
  const { entries } = planFromSchedule(schedule);
  const { machines } = schedule.instance;
  const at = (share: number) => Math.min(entries.length - 1, Math.floor(share * entries.length));
  const changes = new Map<number, (entry: PlanEntry) => PlanEntry | null>([
    [at(0.15), (entry) => shifted(entry, -Math.ceil((entry.end - entry.start) / 2))],
    [at(0.38), (entry) => ({ ...entry, end: entry.end + 2 })],
    [at(0.55), (entry) => ({ ...entry, machine: (entry.machine + 1) % machines })],
    [at(0.72), () => null],
    [at(0.9), (entry) => shifted(entry, -(entry.end - entry.start))],
  ]);
  const wrong = entries.flatMap((entry, i) => {
    const changed = changes.get(i)?.(entry);
    return changed === null ? [] : [changed ?? entry];
  });
  return { entries: wrong };
}

function shifted(entry: PlanEntry, by: number): PlanEntry {
  const start = Math.max(0, entry.start + by);
  return { ...entry, start, end: start + entry.end - entry.start };
}
