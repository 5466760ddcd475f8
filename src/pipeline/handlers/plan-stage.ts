import { type Candidate, isSchedule } from '../../jssp/plan.js';
import type { Planner, RecordedAnswer } from '../../jssp/planner.js';
import { createSchedule } from '../../jssp/schedule.js';
import { copyInstance } from '../../jssp/share-instance.js';
import { type PromptReport, reportRecorded } from '../planners/llm-planner.js';
import { isRecordedPlanner } from '../planners/planners.js';
import type { ProposedPlan, StepServices } from '../step-values.js';

/** Has a planner make its plan; one that is stopped has made the best that it handed over. */
export async function callPlanner(
  planner: Planner,
  { instance, task, progress, signal, planSignal = signal }: StepServices,
): Promise<ProposedPlan> {
  const { seed, replicate, objective } = task;
  let promptReport: PromptReport | undefined;
  const telling = isRecordedPlanner(planner.name) && {
    onRecordedAnswer: (answer: RecordedAnswer) => {
      promptReport = reportRecorded(answer);
    },
  };
  const { onPlan, onLowerBound } = progress;
  const context = {
    seed,
    replicate,
    objective,
    signal: planSignal,
    onPlan,
    onLowerBound,
    ...telling,
  };
  const copy = copyInstance(instance);
  progress.begin();
  const made = await planUntilStopped(() => planner.plan(copy, context), progress, planSignal);
  const candidate = isSchedule(made) ? createSchedule(instance, made.start) : made;
  const told = progress.read();
  return { candidate, promptReport, progress: told.points.length === 0 ? undefined : told };
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
