import * as z from 'zod';
import { MAX_TIME } from '../../jssp/instance.js';
import { wordsOf } from '../../jssp/words.js';
import {
  completionOf,
  type Draft,
  isFinished,
  loseWork,
  modesIn,
  type OpenDraft,
} from '../draft.js';
import { requireMachine } from '../draft-checks.js';
import type { DraftMode, ModeList } from '../draft-parts.js';
import { workedBy } from '../progress.js';
import { findOperation, type Refusal, refusal, timeText } from '../refusals.js';
import { defineEvent } from './definition.js';
import type { EventKindOf } from './kind.js';
import { plannedOperation } from './planned.js';
import { time } from './schema-parts.js';

/**
 * An operation, running or future, has another total duration: either `duration` or `factor` times the known one,
 * rounded (a positive duration remains at least 1). With `machine`, it is the duration on that machine alone; without,
 * `duration` is that on the planned machine, and durations on others change by the same factor.
 */
export interface DurationChange {
  readonly kind: 'duration';
  readonly at: number;
  readonly job: number;
  readonly step: number;
  /** A machine that may do the operation. */
  readonly machine?: number | undefined;
  readonly duration?: number | undefined;
  readonly factor?: number | undefined;
}

const FACTOR = 'give a positive number';

export const duration: EventKindOf<DurationChange> = defineEvent({
  kind: 'duration',
  inPlace: true,
  schema: ({ job, step, machine }) =>
    z
      .strictObject(
        {
          kind: z.literal('duration'),
          at: time.optional(),
          job,
          step,
          machine: machine.optional(),
          duration: time.optional(),
          factor: z.number(FACTOR).positive(FACTOR).optional(),
        },
        'give an object with the keys kind, job, step, duration or factor and, if need be, at, machine',
      )
      .refine(({ duration, factor }) => (duration === undefined) !== (factor === undefined), {
        message: 'give either a duration or a factor',
        path: ['duration'],
      }),
  complete: (event, at) => ({ ...event, at }),
  label: ({ job, step, machine, duration, factor }, labels) => ({
    job: labels.job(job),
    step: labels.step(job, step),
    ...(machine === undefined ? {} : { machine: labels.machine(machine) }),
    duration,
    factor,
  }),
  describe: ({ job, step }, words) => `new duration of ${words.job(job)}, ${words.step(job, step)}`,
  apply: changeDuration,
  concerned: (schedule, _, { job, step }) => plannedOperation(schedule, job, step),
  reason({ job, step, duration, factor }, words, _, { jobOffset }) {
    const { effects } = words.sentences;
    const operation = words.operation(jobOffset[job] + step);
    if (duration === undefined) return effects.factor(operation, factor ?? 1);
    return effects.takes(operation, words.duration(duration));
  },
  phrase(event, { sentences, operation, duration }) {
    const { events } = sentences;
    if (event.duration === undefined) return events.factor(operation(), Number(event.factor));
    return events.takes(operation(), duration(Number(event.duration)));
  },
});

/** Another duration of an operation, on its planned machine or on a named one. */
function changeDuration(draft: OpenDraft, event: DurationChange): Refusal | undefined {
  const op = findOperation(draft, event.job, event.step);
  if (typeof op !== 'number') return op;
  const { now, started } = draft;
  if (isFinished(draft, op)) {
    const done = completionOf(draft, op);
    const problem = `the operation was done at ${timeText(draft, done)}, and now is ${timeText(draft, now)}`;
    const hint = 'change what is running or to come';
    return refusal('operation_finished', problem, hint, { done });
  }
  const list = changedModes(draft, op, event);
  if ('code' in list) return list;
  const longest = list.modes.reduce((most, one) => Math.max(most, one.duration), 0);
  if (longest > MAX_TIME) {
    return refusal('bad_event', `it is ${longest}`, `use at most ${MAX_TIME}`);
  }
  const { duration } = list.modes[list.chosen];
  if (started[op] >= 0) {
    // If it would have been done before now with the new duration, the event would change the past.
    const least = workedBy(draft.facts, op, started[op], now - 1) + 1;
    if (duration < least) {
      const problem = `it is ${duration}, but at ${timeText(draft, now)} the operation has taken ${least} and is not done`;
      return refusal('already_longer', problem, `give ${least} or more`);
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
function changedModes(draft: Draft, op: number, event: DurationChange): ModeList | Refusal {
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
      return refusal('cannot_do', problem, `use ${own}`);
    }
    if (draft.started[op] >= 0 && modes[chosen].machine !== machine) {
      const problem = `the operation has started on ${doing}`;
      return refusal('operation_started', problem, `use ${doing}`);
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
