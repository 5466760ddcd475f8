export type { CommandContext, RolledBack } from '@alas-jssp/living-plan';
export type { ShopChange } from './changes.js';
export {
  followShop,
  type ReportContext,
  type Shop,
  type ShopFollower,
  type ShopOutcome,
  type ShopRun,
  type WithdrawalContext,
} from './follow-shop.js';
export { openShop, type ShopOptions } from './open-shop.js';
export { type RepairRow, ROW_NAMES } from './row-names.js';
export { policyOfRow } from './rows.js';
export { createShopMemory, fingerprint, type ShopMemory } from './shop-memory.js';
export {
  createShopRegistry,
  type MadeRepair,
  type ShopServices,
  shopHandlers,
} from './shop-steps.js';
export type {
  FindInstance,
  ShopInput,
  ShopInstant,
  ShopProposal,
  ShopVersion,
} from './shop-values.js';
export { isShop, type ShopPolicy, shopWorkflow } from './shop-workflow.js';
export {
  type ExecuteShopOptions,
  executeShop,
  type NewShop,
  type ReadyShop,
  readyShop,
  requireSamePlan,
  type ShopWatch,
} from './start-shop.js';
export { readStory, type ShopStory, type ShopTurn } from './story.js';
export { formatStory } from './story-lines.js';
export type { WishedStart } from './wished-starts.js';
