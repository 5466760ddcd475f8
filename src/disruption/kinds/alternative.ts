import * as z from 'zod';
import type { EventNeed } from '../arriving.js';
import { modesIn, type OpenDraft } from '../draft.js';
import { requireMachine, requireResource } from '../draft-checks.js';
import { type DraftMode, draftNeeds } from '../draft-parts.js';
import { labelMode } from '../labels.js';
import { findOperation, type Refusal, refusal, timeText } from '../refusals.js';
import { resourceWord } from '../resource-labels.js';
import { defineEvent } from './definition.js';
import type { EventKindOf } from './kind.js';
import { plannedOperation } from './planned.js';
import { needsSchema, time } from './schema-parts.js';

/** A machine may do an operation from now on, in a given time. If it already may, it has another duration there. */
export interface NewAlternative {
  readonly kind: 'alternative';
  readonly at: number;
  readonly job: number;
  readonly step: number;
  readonly machine: number;
  readonly duration: number;
  /**
   * The resources that the operation needs on that machine. Default: what it needs there, if it already may be done
   * there, else the needs of its planned mode.
   */
  readonly needs?: readonly EventNeed[] | undefined;
}

export const alternative: EventKindOf<NewAlternative> = defineEvent({
  kind: 'alternative',
  inPlace: false,
  schema: ({ job, step, machine, resource }) =>
    z.strictObject(
      {
        kind: z.literal('alternative'),
        at: time.optional(),
        job,
        step,
        machine,
        duration: time,
        needs: needsSchema(resource),
      },
      'give an object with the keys kind, job, step, machine, duration and, if need be, needs, at',
    ),
  complete: (event, at) => ({ ...event, at }),
  label(event, labels) {
    const { job, step } = event;
    return { job: labels.job(job), step: labels.step(job, step), ...labelMode(event, labels) };
  },
  describe({ job, step, machine }, words) {
    const operation = `${words.job(job)}, ${words.step(job, step)}`;
    return `${words.machine(machine)} as an alternative for ${operation}`;
  },
  apply: addAlternative,
  concerned: (schedule, _, { job, step }) => plannedOperation(schedule, job, step),
  reason({ job, step, machine }, words, _, { jobOffset }) {
    const operation = words.operation(jobOffset[job] + step);
    return words.sentences.effects.alternative(words.machine(machine), operation);
  },
  phrase: (event, { sentences, machine, operation, duration }) =>
    sentences.events.alternative(machine, operation(), duration(Number(event.duration))),
});

function addAlternative(draft: OpenDraft, event: NewAlternative): Refusal | undefined {
  const { job, step, machine, duration, needs } = event;
  requireMachine(machine, draft.facts.machines);
  for (const { resource } of needs ?? []) requireResource(resource, draft.facts);
  const op = findOperation(draft, job, step);
  if (typeof op !== 'number') return op;
  const started = draft.started[op];
  if (started >= 0) {
    const [begin, now] = [timeText(draft, started), timeText(draft, draft.now)];
    const problem = `the operation started at ${begin}, and now is ${now}`;
    return refusal('operation_started', problem, 'name one that has not started', { started });
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

function excessiveNeed(draft: OpenDraft, event: NewAlternative): Refusal | undefined {
  const { resources } = draft.facts;
  const need = event.needs?.find(
    ({ resource, amount = 1 }) => amount > (resources?.capacity[resource] ?? 0),
  );
  if (need === undefined) return undefined;
  const { resource, amount = 1 } = need;
  const capacity = resources?.capacity[resource] ?? 0;
  const problem = `it needs ${amount} of ${resourceWord(draft.facts, resource)}`;
  return refusal('bad_event', problem, `give ${capacity} or less`);
}
