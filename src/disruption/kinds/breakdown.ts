import * as z from 'zod';
import { addDowntime, endEstimate } from '../downtimes.js';
import { changeDowntimes, loseWork, pendingOn } from '../draft.js';
import { requireMachine } from '../draft-checks.js';
import { refusePast } from '../refusals.js';
import { defineEvent } from './definition.js';
import type { EventKindOf, Open } from './kind.js';
import { beginNow, endsAfterBegin, endsLater, estimated, estimatedEnd } from './lasting.js';
import { operationsOn } from './planned.js';
import { isKnownBy, knownInTime, time } from './schema-parts.js';

/**
 * A machine is down from `from` to `to` (exclusive). `resumable`: whether the running operation is interrupted and
 * continues afterwards, or is lost and must start again. Without `to` the end is unknown: an estimate applies until a
 * later event replaces it.
 */
export interface Breakdown {
  readonly kind: 'breakdown';
  readonly at: number;
  readonly machine: number;
  readonly from: number;
  readonly to?: number | undefined;
  readonly resumable: boolean;
  /** Whether `to` is an estimate. */
  readonly estimated?: true | undefined;
}

/** A breakdown whose end is known or estimated. */
export interface TimedBreakdown extends Breakdown {
  readonly to: number;
}

export const breakdown: EventKindOf<
  Breakdown,
  Open<Breakdown, 'at' | 'resumable'>,
  TimedBreakdown
> = defineEvent({
  kind: 'breakdown',
  inPlace: true,
  lasts: true,
  schema: ({ machine }) =>
    z
      .strictObject(
        {
          kind: z.literal('breakdown'),
          at: time.optional(),
          machine,
          from: time,
          to: time.optional(),
          resumable: z.boolean('give true or false').optional(),
          estimated,
        },
        'give an object with the keys kind, machine, from and, if need be, to, at, resumable, estimated',
      )
      .refine(endsAfterBegin, endsLater)
      .refine(isKnownBy('from'), knownInTime('it begins')),
  complete: (event, at) => ({ ...event, at, resumable: event.resumable ?? true }),
  begin: ({ from }) => from,
  fromNowOn: beginNow,
  label: ({ machine, from, to, resumable, estimated }, labels) => {
    return { machine: labels.machine(machine), from, to, resumable, estimated };
  },
  describe: ({ machine, to, estimated }, words) =>
    estimated && to !== undefined
      ? `breakdown of ${words.machine(machine)}, estimated to end at ${words.time(to)}`
      : `breakdown of ${words.machine(machine)}`,
  resolve: (draft, event, estimate) =>
    event.to === undefined
      ? { ...event, to: estimatedEnd(draft, event.from, estimate), estimated: true }
      : { ...event, to: event.to },
  /** The new end replaces an estimated one of the same downtime. */
  apply(draft, { machine, from, to, resumable, estimated }) {
    requireMachine(machine, draft.facts.machines);
    const refusal = refusePast(draft, 'breakdown', from, 'it begins');
    if (refusal !== undefined) return refusal;
    const added = { from, to, resumable, ...(estimated && { estimated }) };
    changeDowntimes(draft, machine, (known) => addDowntime(endEstimate(known, from), added));
    loseWork(draft, pendingOn(draft, machine));
    return undefined;
  },
  concerned: ({ instance, start, end }, { now }, { machine, from, to }) =>
    operationsOn(instance, machine).filter(
      (op) => start[op] >= 0 && end[op] > Math.max(from, now) && start[op] < to,
    ),
  changedMachine: ({ machine }) => machine,
  holdsUntil: ({ to }) => to,
  fixesUntil: ({ to }) => to,
  reason({ machine, from, to }, words, now) {
    const { effects } = words.sentences;
    const [name, end] = [words.machine(machine), words.time(to, now)];
    if (from <= now) return effects.down(name, end);
    return effects.willBeDown(name, words.time(from, now), end);
  },
  phrase: ({ at, from, to, resumable, estimated }, { sentences, machine, time }) =>
    sentences.events.breakdown({
      machines: machine,
      from: from === at ? null : time(from),
      to: to === undefined ? null : time(to),
      isEstimated: estimated === true,
      isWorkLost: resumable === false,
    }),
});
