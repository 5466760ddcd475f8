import { InputError } from '@alas-jssp/core/errors';
import { capacityTimes, replaceCapacities, setCapacity } from './capacities.js';
import { type Draft, modesIn, type OpenDraft } from './draft.js';
import { requireMachine, requireResource } from './draft-checks.js';
import { type DraftMode, draftNeeds } from './draft-parts.js';
import type { CapacityChange, NewAlternative, TimedCapacity } from './event.js';
import { findOperation, refuse, refusePast, time } from './refusals.js';
import { resourceWord } from './resource-labels.js';

/** The end of the change in progress that an event ends: one with the usual capacity and no end of its own. */
export function capacityEnd(
  { facts: { resources } }: Draft,
  { resource, from, amount }: CapacityChange,
): number | undefined {
  if (resources === null || resources.capacity[resource] !== amount) return undefined;
  const times = capacityTimes(resources, resource);
  return times.find((one) => one.from <= from && from < one.to)?.to;
}

/** Another capacity of a resource for some time. */
export function changeCapacity(draft: OpenDraft, event: TimedCapacity): InputError | undefined {
  const { resource, from, to, amount, estimated } = event;
  const { facts } = draft;
  requireResource(resource, facts);
  const refusal = refusePast(draft, event, from, 'it begins');
  const { resources } = facts;
  if (refusal !== undefined || resources === null) return refusal;
  const usual = resources.capacity[resource];
  if (amount === usual && estimated) {
    const problem = `at ${time(draft, from)} it has its usual capacity of ${usual}`;
    return refuse(draft, 'capacity_usual', event, problem, 'end a change that is in progress');
  }
  const known = capacityTimes(resources, resource);
  const added = { from, to, amount, ...(estimated && { estimated }) };
  const times = setCapacity(known, usual, added);
  draft.facts = { ...facts, resources: replaceCapacities(resources, resource, times) };
  return undefined;
}

/** A machine may do an operation from now on. */
export function addAlternative(draft: OpenDraft, event: NewAlternative): InputError | undefined {
  const { job, step, machine, duration, needs } = event;
  requireMachine(machine, draft.facts.machines);
  for (const { resource } of needs ?? []) requireResource(resource, draft.facts);
  const op = findOperation(draft, event, job, step);
  if (op instanceof InputError) return op;
  const started = draft.started[op];
  if (started >= 0) {
    const problem = `the operation started at ${time(draft, started)}, and now is ${time(draft, draft.now)}`;
    return refuse(draft, 'operation_started', event, problem, 'name one that has not started', {
      started,
    });
  }
  const excess = excessiveNeed(draft, event);
  if (excess !== undefined) return excess;
  const { modes, chosen } = modesIn(draft, op);
  const planned: DraftMode = { ...modes[chosen], duration: draft.duration[op] };
  const current = modes.map((mode, i) => (i === chosen ? planned : mode));
  // Several modes may have the same machine (with different operators): it is the planned one, if that is among them.
  const at =
    planned.machine === machine ? chosen : current.findIndex((mode) => mode.machine === machine);
  const ownNeeds = at < 0 ? planned.needs : current[at].needs;
  const added = { machine, duration, needs: needs ? draftNeeds(needs) : ownNeeds };
  const list = at < 0 ? [...current, added] : current.map((mode, i) => (i === at ? added : mode));
  draft.modeLists.set(op, { modes: list, chosen });
  if (at === chosen) draft.write(draft.duration, op, duration);
  return undefined;
}

function excessiveNeed(draft: OpenDraft, event: NewAlternative): InputError | undefined {
  const { resources } = draft.facts;
  const need = event.needs?.find(
    ({ resource, amount = 1 }) => amount > (resources?.capacity[resource] ?? 0),
  );
  if (need === undefined) return undefined;
  const { resource, amount = 1 } = need;
  const capacity = resources?.capacity[resource] ?? 0;
  const problem = `it needs ${amount} of ${resourceWord(draft.facts, resource)}`;
  return refuse(draft, 'bad_event', event, problem, `give ${capacity} or less`);
}
