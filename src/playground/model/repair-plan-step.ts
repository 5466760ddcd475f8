import { monotonicSeconds } from '@alas-jssp/core/clock';
import { repairPlan, scheduleFromPlan } from '../../browser/index.js';
import { viewPlanMoves } from '../../report/page/views/moves-view.js';
import { viewSchedule } from '../../report/page/views/schedule-view.js';
import { type PlayState, type StepFigure, validSchedule } from './play-state.js';

/** Repairs a plan that breaks rules: what is usable is kept, everything else is rebuilt around it. */
export async function repairCandidate(state: PlayState): Promise<PlayState> {
  const { instance, candidate } = state;
  const view = viewSchedule(instance, candidate);
  const began = monotonicSeconds();
  const result = await repairPlan(instance, candidate, { seed: 0 });
  const milliseconds = 1000 * (monotonicSeconds() - began);
  const { schedule, keptOrder, inserted, dropped, corrected } = result;
  const before =
    validSchedule(state) ??
    scheduleFromPlan(instance, 'entries' in candidate ? candidate : { entries: [] });
  const moves = viewPlanMoves(view, before, schedule);
  const dropTotal = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  const figures: StepFigure[] = [
    { label: 'repair', value: `${milliseconds.toFixed(1)} ms` },
    { label: 'edits', value: String(moves.moved.length) },
    { label: 'missing, added', value: String(inserted) },
    { label: 'entries dropped', value: String(dropTotal) },
    { label: 'machines corrected', value: String(corrected.machines) },
    { label: 'ends corrected', value: String(corrected.ends) },
    { label: 'order kept', value: keptOrder === null ? '–' : `${(100 * keptOrder).toFixed(0)} %` },
  ];
  const stayed = instance.operations - moves.moved.length;
  return {
    ...state,
    instance: schedule.instance,
    candidate: schedule,
    event: null,
    step: {
      kind: 'repair',
      title: 'Repaired the plan',
      sentence: `The plan is valid now. The repair took ${milliseconds.toFixed(1)} ms, changed ${moves.moved.length} of ${instance.operations} operations, and left ${stayed} where they were.`,
      figures,
      moves,
      milliseconds,
    },
  };
}
