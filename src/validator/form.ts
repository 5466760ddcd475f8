import { InputError } from '../core/errors.js';
import { describeFound, formatPath, isObject, type JsonPath } from '../core/json-path.js';
import { type Candidate, isSchedule, type PlanEntry } from '../jssp/plan.js';

const FIELDS = ['job', 'step', 'machine', 'start', 'end'] as const;

/**
 * Sees to it that a candidate is a plan or a schedule at all. Its numbers may be anything, but
 * they must be numbers: the text of a plan file is for `readPlan` or `parsePlan`.
 *
 * @throws InputError `bad_candidate` naming the path of what is missing or of another kind
 */
export function insistOnForm(candidate: Candidate): void {
  if (!isObject(candidate)) throw badCandidate(candidate, [], 'give a plan or a schedule');
  if (isSchedule(candidate)) {
    if (isObject(candidate.instance)) return;
    throw badCandidate(candidate.instance, ['instance'], 'give the instance of the schedule');
  }
  const { entries, makespan } = candidate;
  if (!Array.isArray(entries)) throw badCandidate(entries, ['entries'], 'give a list of entries');
  for (let i = 0; i < entries.length; i++) insistOnEntry(entries[i], i);
  if (makespan !== undefined && makespan !== null && typeof makespan !== 'number') {
    throw badCandidate(makespan, ['makespan'], 'give a number or leave it out');
  }
}

function insistOnEntry(entry: PlanEntry, i: number): void {
  if (!isObject(entry)) {
    const cure = `give an object with the numbers ${FIELDS.join(', ')}`;
    throw badCandidate(entry, ['entries', i], cure);
  }
  const { job, step, machine, start, end } = entry;
  // Numbers only, the usual case, in one go.
  const isRight =
    typeof job === 'number' &&
    typeof step === 'number' &&
    typeof machine === 'number' &&
    typeof start === 'number' &&
    typeof end === 'number';
  if (isRight) return;
  const field = FIELDS.find((name) => typeof entry[name] !== 'number') as keyof PlanEntry;
  throw badCandidate(
    entry[field],
    ['entries', i, field],
    'give a number, counted from 0, or parse what files hold with parsePlan',
  );
}

function badCandidate(found: unknown, path: JsonPath, cure: string): InputError {
  return new InputError(
    'bad_candidate',
    describeFound(found),
    cure,
    { path: formatPath(path) },
    found,
  );
}
