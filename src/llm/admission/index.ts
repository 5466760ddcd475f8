export { LlmError } from '../errors.js';
export type { Usage } from '../usage.js';
export {
  type Gate,
  type GateOptions,
  type GateState,
  newGateState,
  openGate,
  type Passage,
} from './gate.js';
export type { PaceLimits, RequestOutcome, Wait } from './pace.js';
export type { BudgetLimits, BudgetRefusal } from './spending.js';
