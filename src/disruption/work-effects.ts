import { InputError } from '@alas-jssp/core/errors';
import { MAX_TIME } from '../jssp/instance.js';
import { wordsOf } from '../jssp/words.js';
import {
  completionOf,
  type Draft,
  isFinished,
  loseWork,
  modesIn,
  type OpenDraft,
} from './draft.js';
import { requireMachine } from './draft-checks.js';
import type { DraftMode, ModeList } from './draft-parts.js';
import type { Cancellation, DurationChange } from './event.js';
import { workedBy } from './progress.js';
import { findOperation, refuse, requireJob, time } from './refusals.js';

/** Another duration of an operation, on its planned machine or on a named one. */
export function changeDuration(draft: OpenDraft, event: DurationChange): InputError | undefined {
  const op = findOperation(draft, event, event.job, event.step);
  if (op instanceof InputError) return op;
  const { now, started } = draft;
  if (isFinished(draft, op)) {
    const done = completionOf(draft, op);
    const problem = `the operation was done at ${time(draft, done)}, and now is ${time(draft, now)}`;
    const hint = 'change what is running or to come';
    return refuse(draft, 'operation_finished', event, problem, hint, { done });
  }
  const list = changedModes(draft, op, event);
  if (list instanceof InputError) return list;
  const longest = list.modes.reduce((most, one) => Math.max(most, one.duration), 0);
  if (longest > MAX_TIME) {
    return refuse(draft, 'bad_event', event, `it is ${longest}`, `use at most ${MAX_TIME}`);
  }
  const { duration } = list.modes[list.chosen];
  if (started[op] >= 0) {
    // If it would have been done before now with the new duration, the event would change the past.
    const least = workedBy(draft.facts, op, started[op], now - 1) + 1;
    if (duration < least) {
      const problem = `it is ${duration}, but at ${time(draft, now)} the operation has taken ${least} and is not done`;
      return refuse(draft, 'already_longer', event, problem, `give ${least} or more`);
    }
  }
  draft.write(draft.duration, op, duration);
  if (hasModes(draft, op)) draft.modeLists.set(op, list);
  loseWork(draft, [op]);
  return undefined;
}

function hasModes({ schedule: { instance }, modeLists }: Draft, op: number): boolean {
  return instance.modes !== null || modeLists.has(op);
}

/**
 * The modes of an operation with other durations: on the machine that the event names; or all, by the factor of the
 * event or that of the chosen one.
 */
function changedModes(draft: Draft, op: number, event: DurationChange): ModeList | InputError {
  const known = modesIn(draft, op);
  const { modes, chosen } = known;
  // The draft has the current duration of operations in a shop without alternatives.
  const current = draft.duration[op];
  const { machine, duration, factor } = event;
  if (machine !== undefined) {
    requireMachine(machine, draft.facts.machines);
    const words = wordsOf(draft.facts);
    const doing = words.machine(modes[chosen].machine);
    if (modes.every((one) => one.machine !== machine)) {
      const problem = `${words.machine(machine)} cannot do the operation`;
      const own = [...new Set(modes.map((one) => words.machine(one.machine)))].join(', ');
      return refuse(draft, 'cannot_do', event, problem, `use ${own}`);
    }
    if (draft.started[op] >= 0 && modes[chosen].machine !== machine) {
      const problem = `the operation has started on ${doing}`;
      return refuse(draft, 'operation_started', event, problem, `use ${doing}`);
    }
  }
  const ratio = factor ?? (current === 0 ? 1 : (duration ?? current) / current);
  const changed = modes.map((mode, i): DraftMode => {
    const was = i === chosen ? current : mode.duration;
    if (machine !== undefined && mode.machine !== machine) return mode;
    const isGiven = factor === undefined && (machine !== undefined || i === chosen);
    return { ...mode, duration: isGiven ? (duration ?? was) : scaled(was, ratio) };
  });
  return { modes: changed, chosen };
}

function scaled(known: number, factor: number): number {
  return known === 0 ? 0 : Math.max(1, Math.round(known * factor));
}

/** The job loses what has not started; what lies between started operations takes no time any more. */
export function cancel(draft: OpenDraft, event: Cancellation): InputError | undefined {
  const { job } = event;
  requireJob(draft, event, job);
  const { jobOffset, kept } = draft;
  const [first, stop] = [jobOffset[job], jobOffset[job] + kept[job]];
  const isLeft = (op: number) => !isFinished(draft, op);
  let op = first;
  while (op < stop && !isLeft(op)) op++;
  if (op === stop) {
    const problem = 'nothing of the job is left to be done';
    return refuse(draft, 'job_finished', event, problem, 'cancel a job that is not finished');
  }
  let last = stop - 1;
  while (last >= first && draft.started[last] < 0) last--;
  kept[job] = last + 1 - first;
  for (op = first; op < last; op++) {
    if (draft.started[op] >= 0) continue;
    const { modes, chosen } = modesIn(draft, op);
    draft.modeLists.set(op, { modes: [{ ...modes[chosen], duration: 0, needs: [] }], chosen: 0 });
    draft.write(draft.duration, op, 0);
  }
  draft.due[job] = -1;
  draft.deadline[job] = -1;
  return undefined;
}
