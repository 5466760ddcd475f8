import { checkJson, faultError } from '@alas-jssp/core';
import { gatheringGaps } from '../realm-gathering.js';
import type { RealmCode, RealmFinding } from '../realm-reading.js';
import { type RealmGathering, realmGatheringSchema } from '../realm-schema.js';
import type { RealmCompletion, RealmCompletions, SuiteInstance } from '../suites/suite.js';
import { completeDinner } from './complete-dinner.js';
import { completeWedding } from './complete-wedding.js';
import { instanceOf } from './read-rides.js';

const TRAVEL: Pick<RealmCompletion, 'key' | 'states' | 'isNeeded'> = {
  key: 'travel-times',
  states: 'minutes of each road of a place without any: one number for all',
  isNeeded: true,
};

/** Facts that files of P5 and P8 leave open. */
export const WEDDING_COMPLETIONS: readonly RealmCompletion[] = [
  { ...TRAVEL, ours: '20' },
  {
    key: 'errands',
    ours: 'flowers:G/cake:G/decorations:W/photographer:W/music:W',
    states: 'place of each errand, which any guest does',
    isNeeded: true,
  },
  { key: 'errand-minutes', ours: '15', states: 'minutes of each errand', isNeeded: true },
  {
    key: 'goals',
    ours: 'photos',
    states:
      'photos: all guests are at W at the photo time, and errands done by the deadline; deadline: both by then',
    isNeeded: true,
  },
];

/** Facts that files of P6 and P9 leave open. */
export const DINNER_COMPLETIONS: readonly RealmCompletion[] = [
  { ...TRAVEL, ours: '40' },
  {
    key: 'task-minutes',
    ours: 'turkey:240/stuffing:30/gravy:20/potatoes:40/vegetables:20/dessert:25',
    states: 'minutes of each cooking task',
    isNeeded: true,
  },
  {
    key: 'cooks',
    ours: 'anyone',
    states: 'who does a task that no member has the skill for: anyone, or a member',
    isNeeded: true,
  },
  {
    key: 'unknown-tasks',
    ours: 'drop',
    states: 'drop: an order of a task that is not there is not used',
    isNeeded: true,
  },
  {
    key: 'goals',
    ours: 'dinner',
    states: 'dinner: all are at home with all tasks done at the dinner deadline',
    isNeeded: true,
  },
];

/** The completion that closes each gap. */
const CLOSED_BY: Partial<Record<RealmCode, readonly string[]>> = {
  place_without_travel: ['travel-times'],
  route_without_travel: ['travel-times'],
  errand_without_place: ['errands', 'errand-minutes'],
  task_without_minutes: ['task-minutes'],
  unknown_task: ['unknown-tasks'],
  task_without_cook: ['cooks'],
  unsaid_goal: ['goals'],
};

/** Reads an instance of P5 or P8. @throws InputError `bad_realm`, `bad_complete` */
export function readWedding(
  value: unknown,
  file: string | undefined,
  given: RealmCompletions,
): SuiteInstance {
  return readGathering(value, file, given, completeWedding);
}

/** Reads an instance of P6 or P9. @throws InputError `bad_realm`, `bad_complete` */
export function readDinner(
  value: unknown,
  file: string | undefined,
  given: RealmCompletions,
): SuiteInstance {
  return readGathering(value, file, given, completeDinner);
}

function readGathering(
  value: unknown,
  file: string | undefined,
  given: RealmCompletions,
  complete: typeof completeWedding,
): SuiteInstance {
  const checked = checkJson<RealmGathering>(realmGatheringSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_realm', checked.fault, file);
  const gathering = checked.data;
  const open = gatheringGaps(gathering).flatMap((gap): RealmFinding[] => {
    const keys = (CLOSED_BY[gap.code] ?? []).filter((key) => given[key] === undefined);
    if (keys.length === 0) return [];
    return [
      { ...gap, message: `${gap.message}: --complete ${keys.map((key) => `${key}=…`).join(',')}` },
    ];
  });
  const { instance_id: name } = gathering;
  if (open.length > 0) {
    return { name, problem: null, completed: given, contradictions: [], refused: open };
  }
  return instanceOf(complete(gathering, given), given);
}
