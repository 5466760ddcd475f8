export { LlmError } from '../errors.js';
export type { Usage } from '../usage.js';
export {
  type Ledger,
  type LedgerOptions,
  type LedgerState,
  newLedgerState,
  openLedger,
  type Reservation,
} from './ledger.js';
export type { PaceLimits, RequestOutcome, Wait } from './pace.js';
export type { BudgetLimits, BudgetRefusal } from './spending.js';
