import { monotonicSeconds } from '@alas-jssp/core/clock';
import {
  AlasError,
  createRepairEngine,
  type DisruptionEvent,
  describeEvent,
  formatEvent,
  InputError,
  measureRepair,
  parseEvent,
  type RepairEngine,
  type RepairMetrics,
  type Schedule,
} from '../../browser/index.js';
import { viewRepairMoves } from '../../report/page/views/moves-view.js';
import type { MovesView } from '../../report/page/views/schedule-data.js';
import { type KnownEvent, type PlayState, type StepFigure, validSchedule } from './play-state.js';

/** Engines by the schedule that they repair, so that an engine that was warmed up is used. */
const engines = new WeakMap<Schedule, RepairEngine>();

/** The engine of a schedule. */
function engineOf(schedule: Schedule): RepairEngine {
  const engine = engines.get(schedule) ?? createRepairEngine(schedule);
  engines.set(schedule, engine);
  return engine;
}

/** Makes the next repair of a schedule as fast as later ones. */
export async function warmUpFor(schedule: Schedule): Promise<void> {
  await engineOf(schedule).warmUp();
}

/**
 * Repairs the schedule of a shop after an event with LCRP. What has started before `now` is fixed.
 *
 * @throws InputError if the event is in the past or impossible; AlasError if there is no repair
 */
export async function handleEvent(
  state: PlayState,
  event: DisruptionEvent,
  now: number,
): Promise<PlayState> {
  const schedule = validSchedule(state);
  if (schedule === null) {
    throw new InputError('invalid_plan', 'the plan breaks rules', 'repair the plan first');
  }
  if (state.now !== null && now < state.now) {
    const problem = `${now} is in the past: now is ${state.now}`;
    throw new InputError('bad_now', problem, 'choose a later time, or undo the last event');
  }
  const engine = engineOf(schedule);
  const began = monotonicSeconds();
  const result = await engine.propose([event], now);
  // Reads the whole schedule and the validator's verdict, which are computed lazily.
  const after = result.schedule;
  const { executable } = result.judgement;
  const milliseconds = 1000 * (monotonicSeconds() - began);
  if (!executable) throw new AlasError('bad_repair', 'the validator refused the repair');
  const moves = viewRepairMoves(result);
  const metrics = measureRepair(result);
  const { instance } = result.task;
  const words = describeEvent(result.applied.events[0] ?? event, instance);
  return {
    instance: after.instance,
    candidate: after,
    now,
    known: null,
    proven: null,
    event: { text: formatEvent(event, state.instance), now },
    step: {
      kind: 'event',
      title: `${words[0].toUpperCase()}${words.slice(1)} at ${now}`,
      sentence: repairSentence(metrics, moves, milliseconds, after.makespan),
      figures: figuresOf(metrics, milliseconds),
      moves,
      milliseconds,
    },
  };
}

/** Repairs a shop after an event of a link. */
export function replayEvent(state: PlayState, { text, now }: KnownEvent): Promise<PlayState> {
  const event = parseEvent(text, { knownBy: now, instance: state.instance });
  return handleEvent(state, event, now);
}

function repairSentence(
  { compared, start_changes }: RepairMetrics,
  { makespan: before, gone }: MovesView,
  milliseconds: number,
  makespan: number,
): string {
  const removed = gone === 0 ? '' : ` ${gone} operations fell away.`;
  const kept = compared - start_changes;
  const moved =
    start_changes === 0
      ? `no operation had to move`
      : `${start_changes} of ${compared} open operations moved, ${kept} kept their time`;
  const end =
    makespan === before ? `The plan still ends at ${before}.` : endWords(before, makespan);
  return `LCRP repaired the plan in ${milliseconds.toFixed(1)} ms: ${moved}.${removed} ${end}`;
}

function endWords(before: number, makespan: number): string {
  const by = Math.abs(makespan - before);
  return `The plan ends at ${makespan}, ${by} ${makespan > before ? 'later' : 'earlier'} than before.`;
}

function figuresOf(metrics: RepairMetrics, milliseconds: number): StepFigure[] {
  const { edited_operations, edit_radius, rank_changes, reassigned, phase, evaluations } = metrics;
  return [
    { label: 'repair', value: `${milliseconds.toFixed(1)} ms` },
    { label: 'edits', value: String(edited_operations) },
    { label: 'edit radius', value: edit_radius === null ? '–' : String(edit_radius) },
    { label: 'new places in queues', value: String(rank_changes) },
    ...(reassigned === 0 ? [] : [{ label: 'other machine', value: String(reassigned) }]),
    { label: 'last phase', value: phase },
    { label: 'moves tried', value: String(evaluations) },
  ];
}
