import { actionInWords, joinNames, nameInWords } from '../model/action-words.js';
import { formatClock } from '../model/clock.js';
import { type Action, actorsOf } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { Change, Changes, PromiseChange } from './changes.js';

/** The changes that concern one person, or the driver of one vehicle. */
export interface Notice {
  /** The id of the person or the vehicle. */
  readonly to: string;
  readonly name: string;
  /** One change each, by time; then the changed promised times. */
  readonly lines: readonly string[];
}

/** The notices about changes to a plan: each person or vehicle receives only the changes that concern it. */
export function noticesOf(
  problem: Problem,
  { changes, told, promises }: Pick<Changes, 'changes' | 'told' | 'promises'>,
): Notice[] {
  const inTime = changes.toSorted((a, b) => startOf(a) - startOf(b));
  const concerns = (action: Action | null, who: string) =>
    action !== null && actorsOf(action).includes(who);
  return told.map((to) => {
    const name = nameInWords(problem, to);
    return {
      to,
      name: problem.people.has(to) ? name : `the driver of ${name}`,
      lines: [
        ...inTime
          .filter(({ before, after }) => concerns(before, to) || concerns(after, to))
          .map((change) => changeInWords(problem, change)),
        ...promises.filter(({ person }) => person === to).map(promiseInWords),
      ],
    };
  });
}

/** All changes in words, each once, with the people notified and the changed promised times. */
export function changesInWords(
  problem: Problem,
  changes: readonly Change[],
  notices: readonly Notice[],
  promises: readonly PromiseChange[],
): string[] {
  const inTime = changes.toSorted((a, b) => startOf(a) - startOf(b));
  return [
    ...inTime.map((change) => changeInWords(problem, change)),
    ...(notices.length === 0 ? [] : [`told: ${joinNames(notices.map(({ name }) => name))}`]),
    ...promises.map(
      (promise) =>
        `promised to ${nameInWords(problem, promise.person)}: ${promiseInWords(promise)}`,
    ),
  ];
}

/** A change in words: `14:00 to 14:20 (was 13:35 to 13:55): Pat drives …`. */
export function changeInWords(problem: Problem, { before, after }: Change): string {
  if (after === null) {
    return before === null ? '' : `no longer ${timesOf(before)}: ${actionInWords(problem, before)}`;
  }
  const was = before === null ? 'new' : `was ${timesOf(before)}`;
  return `${timesOf(after)} (${was}): ${actionInWords(problem, after)}`;
}

/** A promised time and the previous one in words: `pick-up at A (r1): 08:24, not 08:15`. */
function promiseInWords({ what, before, after }: PromiseChange): string {
  if (after === null) return `${what}: none any more, promised was ${formatClock(before ?? 0)}`;
  const not = before === null ? '' : `, not ${formatClock(before)}`;
  return `${what}: ${formatClock(after)}${not}`;
}

function timesOf({ start, end }: Action): string {
  return start === end ? formatClock(start) : `${formatClock(start)} to ${formatClock(end)}`;
}

function startOf({ before, after }: Change): number {
  return (after ?? before)?.start ?? 0;
}
