import type { Ask } from '../../llm/client.js';
import { addUsage, createLedger, type Ledger, NO_USAGE, type Usage } from '../../llm/usage.js';
import type { LogStore } from '../../workflow/index.js';
import type { ModelPlanner } from './llm-planner.js';
import { type AskWait, askByPolicy } from './question.js';

/** Stages that ask models. */
type AskingStage = 'plan' | 'repair';

/** The model of a pipeline, for those of its steps that ask it. */
export interface ModelAccess {
  readonly planner: ModelPlanner;
  /**
   * Begins to ask for a step.
   *
   * @param runId of the run of the pipeline, under which its questions stand in a log
   */
  begin(stage: AskingStage, runId: string): Ledger;
  /** The sum of all that was booked for a stage, also by steps that failed. */
  spent(stage: AskingStage): Usage;
}

/** The way of a pipeline to its model. */
export interface ModelAccessOptions {
  /** Makes one attempt at an answer; the pipeline tries again by the policy of questions. */
  readonly ask: Ask;
  readonly onWait?: ((wait: AskWait) => void) | undefined;
  /** The log of the questions. */
  readonly store?: LogStore | undefined;
}

/** Gives a pipeline its model. */
export function createModelAccess(
  planner: ModelPlanner,
  { ask, onWait, store }: ModelAccessOptions,
): ModelAccess {
  const begun: Record<AskingStage, Ledger[]> = { plan: [], repair: [] };
  const { attempts } = planner.settings;
  return {
    planner,
    begin(stage, runId) {
      const log = store && { store, runId };
      const ledger = createLedger(askByPolicy(ask, { attempts, log, onWait }));
      begun[stage].push(ledger);
      return ledger;
    },
    spent: (stage) => begun[stage].map((ledger) => ledger.read()).reduce(addUsage, NO_USAGE),
  };
}
