import type { BudgetLimits } from '../../llm/budget.js';
import type { Environment } from '../../llm/keys.js';

/** How the models of a run are asked. */
export interface RunModelsOptions {
  /**
   * Directory of answers, which `replay:` reads: what is there is not asked again, and what is asked is
   * kept there. Default: `answers` in the directory of the run.
   */
  readonly record?: string | undefined;
  /** File of prices. Default: those of this package. */
  readonly prices?: string | undefined;
  /** Requests to one provider at once, at most. Default 4. */
  readonly concurrency?: number | undefined;
  /** Of one provider, requests and tokens in any 60 seconds, at most. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** What this run may spend, until it ends or is resumed. Default: no limit. */
  readonly budget?: BudgetLimits | undefined;
  /** Where keys are. Default: the environment of the process, and a `.env` file. */
  readonly environment?: Environment | undefined;
}
