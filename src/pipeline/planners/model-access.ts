import type { Json, StepContext } from '@alas-jssp/workflow';
import {
  type Account,
  addBookings,
  type Booking,
  createAccount,
  NO_BOOKING,
} from '../../llm/account.js';
import { type AskWait, createAsk } from '../../llm/ask.js';
import type { Ask } from '../../llm/client.js';
import type { ModelPlanner } from './llm-planner.js';

/** Stages that use models. */
type AskingStage = 'plan' | 'repair';

/** The model of a pipeline, for the steps that use it. */
export interface ModelAccess {
  readonly planner: ModelPlanner;
  /** Opens the requests of a step, and their account. */
  begin(
    stage: AskingStage,
    step: Pick<StepContext, 'log'>,
  ): { readonly ask: Ask } & Pick<Account, 'read'>;
  /** The total usage of a stage, including steps that failed. */
  spent(stage: AskingStage): Booking;
}

/**
 * Creates the access of a pipeline to its model.
 *
 * @param attempt makes one attempt at an answer, as for {@link createAsk}
 * @param logged whether the steps log their requests
 */
export function createModelAccess(
  planner: ModelPlanner,
  attempt: Ask,
  logged: boolean,
  onWait: ((wait: AskWait) => void) | undefined,
): ModelAccess {
  const accounts: Record<AskingStage, Account[]> = { plan: [], repair: [] };
  const { attempts } = planner.settings;
  return {
    planner,
    begin(stage, step) {
      const account = createAccount();
      accounts[stage].push(account);
      const log = logged
        ? (event: 'Request' | 'Response', payload: object) => step.log(event, payload as Json)
        : undefined;
      return { ask: createAsk(attempt, { attempts, account, log, onWait }), read: account.read };
    },
    spent: (stage) =>
      accounts[stage].map((account) => account.read()).reduce(addBookings, NO_BOOKING),
  };
}
