import { assignModes, type Instance } from '../../jssp/instance.js';
import { type Candidate, isSchedule } from '../../jssp/plan.js';
import type { Planner, RecordedAnswer } from '../../jssp/planner.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { copyInstance } from '../../jssp/share-instance.js';
import { type PromptReport, reportRecorded } from '../planners/llm-planner.js';
import { isRecordedPlanner } from '../planners/planners.js';
import type { ProposedPlan, StepServices } from '../step-values.js';

/** Calls a planner; the result of a stopped planner is the best plan that it delivered. */
export async function callPlanner(
  planner: Planner,
  { instance, task, limits = {}, progress, signal }: StepServices,
): Promise<ProposedPlan> {
  const { seed, replicate, objective } = task;
  const { seconds, megabytes, threads, planSignal = signal } = limits;
  let promptReport: PromptReport | undefined;
  const recorded = isRecordedPlanner(planner.name) && {
    onRecordedAnswer: (answer: RecordedAnswer) => {
      promptReport = reportRecorded(answer);
    },
  };
  const { onPlan, onLowerBound, onProcess } = progress;
  const wanted = { seed, replicate, objective, signal: planSignal };
  const own = { seconds, megabytes, threads };
  const context = { ...wanted, ...own, onPlan, onLowerBound, onProcess, ...recorded };
  const copy = copyInstance(instance);
  progress.begin();
  const made = await planUntilStopped(() => planner.plan(copy, context), progress, planSignal);
  const candidate = isSchedule(made) ? ownSchedule(instance, made) : made;
  const reported = progress.read();
  const isQuiet = reported.points.length === 0 && reported.process === null;
  return { candidate, promptReport, progress: isQuiet ? undefined : reported };
}

/** A planner's schedule for the true instance: only its starts and its choice of modes count. */
function ownSchedule(
  instance: Instance,
  { start, instance: own }: Partial<Schedule> & Pick<Schedule, 'start'>,
): Schedule {
  const chosen = own?.modes?.chosen;
  const isAssigned = instance.modes !== null && chosen !== undefined;
  return createSchedule(isAssigned ? assignModes(instance, chosen) : instance, start);
}

async function planUntilStopped(
  plan: () => Promise<Candidate>,
  progress: StepServices['progress'],
  signal: AbortSignal | undefined,
): Promise<Candidate> {
  try {
    return progress.choose(await plan());
  } catch (error) {
    if (!signal?.aborted) throw error;
    const best = progress.best();
    if (best === null) throw signal.reason;
    return best;
  }
}
