export { createRedactor, secretsOf } from '@alas-jssp/core/secret-text';
export { type Account, createAccount } from './account.js';
export {
  type Admission,
  type Ledger,
  type LedgerOptions,
  openLedger,
  type Settle,
} from './admission/ledger.js';
export type { PaceLimits, RequestOutcome, Wait } from './admission/pace.js';
export type { BudgetLimits, BudgetRefusal } from './admission/spending.js';
export {
  type AnswerStore,
  openAnswerStore,
  recordedPlanners,
  type StoredAnswer,
} from './answer-store.js';
export { openAnswerTexts, readAnswerTexts } from './answer-texts.js';
export {
  type AskOptions,
  type AskWait,
  type AttemptOptions,
  createAsk,
  createAttempt,
} from './ask.js';
export type {
  Answer,
  AnswerShape,
  Ask,
  FinishReason,
  LlmClient,
  LlmRequest,
  Message,
  Sampling,
  TokenCount,
} from './client.js';
export { createClient } from './clients/create-client.js';
export { type DecodedPlan, decodePlan } from './decoding/decode-plan.js';
export {
  FINAL_CODES,
  isRetryable,
  LlmError,
  type LlmErrorCode,
  RETRYABLE_CODES,
} from './errors.js';
export { type Environment, keyFor, readEnvironment } from './keys.js';
export { modelOf } from './model-of.js';
export {
  FORMATS,
  formatPlannerSpec,
  isModelSpec,
  type ModelSettings,
  type ModelSpec,
  type PlanFormat,
  PROVIDERS,
  type Provider,
  parsePlannerSpec,
  type ReplaySpec,
  TOPOLOGIES,
  type Topology,
} from './planner-spec.js';
export { PRICES, type Price, type Prices } from './price-table.js';
export { insistOnPrice, priceOf, priceTokens, readPrices } from './prices.js';
export type { Prompt, PromptSettings } from './prompts/prompt.js';
export type { PlanFindings } from './prompts/repair.js';
export { PROMPT_VERSION, promptHash } from './prompts/templates.js';
export { type ModelLimits, planWindows, type Window } from './prompts/windows.js';
export { estimateInput, requestKey } from './request-key.js';
export { estimateTokens } from './token-estimate.js';
export type { ProposalTask } from './topologies/propose.js';
export {
  firstQuestions,
  type PlanRepairTask,
  type Proposal,
  propose,
  repairProposal,
} from './topologies/propose.js';
export type { AgentQuestion, Turn } from './topologies/team.js';
export { unlessAborted } from './unless-aborted.js';
export { addUsage, NO_USAGE, type Usage, usageOf } from './usage.js';
