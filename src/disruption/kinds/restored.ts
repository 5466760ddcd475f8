import * as z from 'zod';
import { downtimesOf } from '../../jssp/calendar.js';
import { endDowntime } from '../downtimes.js';
import { changeDowntimes } from '../draft.js';
import { requireMachine } from '../draft-checks.js';
import { refusal, refusePast, timeText } from '../refusals.js';
import { defineEvent } from './definition.js';
import type { EventKindOf } from './kind.js';
import { operationsOn, plannedNext } from './planned.js';
import { time } from './schema-parts.js';

/** A machine that is down is back at `at`, earlier than known. */
export interface Restored {
  readonly kind: 'restored';
  readonly at: number;
  readonly machine: number;
}

export const restored: EventKindOf<Restored> = defineEvent({
  kind: 'restored',
  inPlace: true,
  schema: ({ machine }) =>
    z.strictObject(
      { kind: z.literal('restored'), at: time.optional(), machine },
      'give an object with the keys kind, machine, at',
    ),
  complete: (event, at) => ({ ...event, at }),
  fromNowOn: (event, now) => (event.at < now ? { ...event, at: now } : event),
  label: ({ machine }, labels) => ({ machine: labels.machine(machine) }),
  describe: ({ machine }, words) => `restoration of ${words.machine(machine)}`,
  apply(draft, { machine, at }) {
    requireMachine(machine, draft.facts.machines);
    const past = refusePast(draft, 'restored', at, 'the machine is back');
    if (past !== undefined) return past;
    const downtimes = endDowntime(downtimesOf(draft.facts.calendar, machine), at);
    if (downtimes === undefined) {
      const problem = `it is not down at ${timeText(draft, at)}`;
      return refusal('machine_up', problem, 'restore a machine that is down', { at });
    }
    changeDowntimes(draft, machine, () => downtimes);
    return undefined;
  },
  /** The operations that the downtime had interrupted, and the next planned one. */
  concerned(schedule, { now }, { machine, at }) {
    const { instance, start, end } = schedule;
    const running = operationsOn(instance, machine).filter(
      (op) => start[op] >= 0 && start[op] < now && end[op] > now,
    );
    return [...running, ...plannedNext(schedule, machine, at)];
  },
  changedMachine: ({ machine }) => machine,
  holdsUntil: () => -1,
  reason: ({ machine }, words) => words.sentences.effects.restored(words.machine(machine)),
  phrase: (_, { sentences, machine }) => sentences.events.restored(machine),
});
