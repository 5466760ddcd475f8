import * as z from 'zod';
import { chosenMode } from '../../jssp/shop-parts.js';
import { capacityTimes, replaceCapacities, setCapacity } from '../capacities.js';
import type { Draft } from '../draft.js';
import { requireResource } from '../draft-checks.js';
import { refusal, refusePast, timeText } from '../refusals.js';
import { resourceWord } from '../resource-labels.js';
import { defineEvent } from './definition.js';
import type { EventKindOf, Open } from './kind.js';
import { beginNow, endsAfterBegin, endsLater, estimated, estimatedEnd } from './lasting.js';
import { isKnownBy, knownInTime, time } from './schema-parts.js';

/**
 * A resource (operators, tools) has another capacity from `from` to `to` (exclusive), which replaces what was known about
 * that time: an operator is ill, or back. Without `to` the end is unknown: an estimate applies until a later event
 * replaces it.
 */
export interface CapacityChange {
  readonly kind: 'capacity';
  readonly at: number;
  readonly resource: number;
  readonly from: number;
  readonly to?: number | undefined;
  /** The capacity in that time. If it is the usual one, and there is no `to`, the change in progress ends. */
  readonly amount: number;
  /** Whether `to` is an estimate. */
  readonly estimated?: true | undefined;
}

/** Another capacity whose end is known or estimated. */
export interface TimedCapacity extends CapacityChange {
  readonly to: number;
}

export const capacity: EventKindOf<
  CapacityChange,
  Open<CapacityChange, 'at' | 'amount'>,
  TimedCapacity
> = defineEvent({
  kind: 'capacity',
  inPlace: true,
  lasts: true,
  schema: ({ resource }) =>
    z
      .strictObject(
        {
          kind: z.literal('capacity'),
          at: time.optional(),
          resource,
          from: time,
          to: time.optional(),
          amount: time.optional(),
          estimated,
        },
        'give an object with the keys kind, resource, from and, if need be, to, amount, at, estimated',
      )
      .refine(endsAfterBegin, endsLater)
      .refine(isKnownBy('from'), knownInTime('it begins')),
  complete: (event, at) => ({ ...event, at, amount: event.amount ?? 0 }),
  begin: ({ from }) => from,
  fromNowOn: beginNow,
  label: ({ resource, from, to, amount, estimated }, labels) => {
    return { resource: labels.resource(resource), from, to, amount, estimated };
  },
  describe: ({ resource }, _, instance) => `capacity of ${resourceWord(instance, resource)}`,
  resolve(draft, event, estimate) {
    const to = event.to ?? currentEnd(draft, event);
    if (to !== undefined) return { ...event, to };
    return { ...event, to: estimatedEnd(draft, event.from, estimate), estimated: true };
  },
  apply(draft, { resource, from, to, amount, estimated }) {
    const { facts } = draft;
    requireResource(resource, facts);
    const past = refusePast(draft, 'capacity', from, 'it begins');
    const { resources } = facts;
    if (past !== undefined || resources === null) return past;
    const usual = resources.capacity[resource];
    if (amount === usual && estimated) {
      const problem = `at ${timeText(draft, from)} it has its usual capacity of ${usual}`;
      return refusal('capacity_usual', problem, 'end a change that is in progress');
    }
    const known = capacityTimes(resources, resource);
    const added = { from, to, amount, ...(estimated && { estimated }) };
    const times = setCapacity(known, usual, added);
    draft.facts = { ...facts, resources: replaceCapacities(resources, resource, times) };
    return undefined;
  },
  /** The operations planned in that time that need the resource. */
  concerned({ instance, start, end }, { now }, { resource, from, to }) {
    const { resources, operations } = instance;
    if (resources === null) return [];
    const { needOffset, needResource } = resources;
    const found: number[] = [];
    for (let op = 0; op < operations; op++) {
      if (start[op] < 0 || end[op] <= Math.max(from, now) || start[op] >= to) continue;
      const mode = chosenMode(instance, op);
      const needs = needResource.subarray(needOffset[mode], needOffset[mode + 1]);
      if (needs.includes(resource)) found.push(op);
    }
    return found;
  },
  reason({ resource, amount, from, to }, words, now, instance) {
    const name = resourceWord(instance, resource, words.sentences);
    const [begin, end] = [words.time(from, now), words.time(to, now)];
    return words.sentences.effects.capacity(name, amount, begin, end);
  },
  phrase: ({ resource, at, from, to, amount }, { sentences, name, time }) =>
    sentences.events.capacity(
      name(resource),
      Number(amount),
      from === at ? null : time(from),
      to === undefined ? null : time(to),
    ),
});

/** The end of the change in progress that an event ends: one with the usual capacity and no end of its own. */
function currentEnd(
  { facts: { resources } }: Draft,
  { resource, from, amount }: CapacityChange,
): number | undefined {
  if (resources === null || resources.capacity[resource] !== amount) return undefined;
  const times = capacityTimes(resources, resource);
  return times.find((one) => one.from <= from && from < one.to)?.to;
}
