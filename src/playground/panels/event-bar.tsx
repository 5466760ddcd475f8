import type { DisruptionEvent, Schedule } from '../../browser/index.js';
import {
  type BreakdownWish,
  breakdownEvent,
  newJobEvent,
  openJobs,
} from '../model/suggest-event.js';
import { NumberField, SelectBox } from './fields.js';

/** The kinds of events that readers report. */
type EventChoice = 'breakdown' | 'delay' | 'cancellation' | 'arrival';

/** An event that the reader is about to report. */
export interface EventDraft extends BreakdownWish {
  readonly kind: EventChoice;
  readonly job: number;
  /** Whether the reader has chosen anything, so that the chart shows the breakdown. */
  readonly isTouched: boolean;
}

interface Props {
  readonly draft: EventDraft;
  readonly setDraft: (draft: EventDraft) => void;
  readonly schedule: Schedule | null;
  /** Events before that time are too late. */
  readonly now: number;
  readonly isBusy: boolean;
  readonly report: (event: DisruptionEvent, now: number) => void;
}

const KINDS: readonly (readonly [EventChoice, string])[] = [
  ['breakdown', 'a machine breaks'],
  ['delay', 'a job comes late'],
  ['cancellation', 'a job is cancelled'],
  ['arrival', 'a new job arrives'],
];

const ACTIONS: Readonly<Record<EventChoice, string>> = {
  breakdown: 'Break it',
  delay: 'Delay it',
  cancellation: 'Cancel it',
  arrival: 'Send it in',
};

/** The form of an event: what happens, to what, when, and for how long. */
export function EventBar({ draft, setDraft, schedule, now, isBusy, report }: Props) {
  const { kind } = draft;
  const change = (changes: Partial<EventDraft>) =>
    setDraft({ ...draft, isTouched: true, ...changes });
  const jobs = schedule === null ? [] : openJobs(schedule, Math.max(now, draft.from || 0));
  const job = jobs.includes(draft.job) ? draft.job : (jobs[0] ?? 0);
  const hasJob = kind === 'breakdown' || kind === 'arrival' || jobs.length > 0;
  const isReady = schedule !== null && hasJob && draft.from >= now && draft.length > 0;
  return (
    <form
      class="event-bar"
      aria-label="What happens to the shop"
      onSubmit={(event) => {
        event.preventDefault();
        if (schedule !== null && isReady) report(eventOf({ ...draft, job }, schedule), draft.from);
      }}
    >
      <SelectBox
        label="What happens"
        value={kind}
        options={KINDS}
        onChange={(kind) => change({ kind })}
      />
      {kind === 'breakdown' && schedule !== null && (
        <SelectBox
          label="Machine"
          value={draft.machine}
          options={machineNames(schedule)}
          onChange={(machine) => change({ machine })}
        />
      )}
      {(kind === 'delay' || kind === 'cancellation') && schedule !== null && (
        <SelectBox
          label="Job"
          value={job}
          options={jobs.map((one) => [one, jobName(schedule, one)] as const)}
          onChange={(job) => change({ job })}
        />
      )}
      <NumberField
        label="At"
        value={draft.from}
        least={now}
        onChange={(from) => change({ from })}
      />
      {(kind === 'breakdown' || kind === 'delay') && (
        <NumberField
          label={kind === 'delay' ? 'Late by' : 'For'}
          value={draft.length}
          least={1}
          onChange={(length) => change({ length })}
        />
      )}
      <button type="submit" class="strong" disabled={!isReady || isBusy}>
        {ACTIONS[kind]}
      </button>
      <p class="quiet">{hintOf(schedule === null, draft.from < now, now)}</p>
    </form>
  );
}

function hintOf(isWrong: boolean, isPast: boolean, now: number): string {
  if (isWrong) return 'Repair the plan first: only a valid plan can be carried out.';
  if (isPast) return `Now is ${now}: choose ${now} or later.`;
  return 'Or click a row of the chart at any time.';
}

function eventOf(draft: EventDraft, schedule: Schedule): DisruptionEvent {
  const { kind, job, from, length } = draft;
  switch (kind) {
    case 'breakdown':
      return breakdownEvent(draft);
    case 'delay':
      return { kind, at: from, job, until: from + length };
    case 'cancellation':
      return { kind, at: from, job };
    case 'arrival':
      return newJobEvent(schedule.instance, from, schedule.instance.jobs);
  }
}

function machineNames({ instance }: Schedule): (readonly [number, string])[] {
  return Array.from({ length: instance.machines }, (_, k) => [
    k,
    instance.names?.machines?.[k] || `machine ${k}`,
  ]);
}

function jobName({ instance }: Schedule, job: number): string {
  return instance.names?.jobs?.[job] || `job ${job + 1}`;
}
