export type { ShopChange } from './changes.js';
export {
  openShop,
  type Shop,
  type ShopOptions,
  type Told,
  type WishedStart,
} from './open-shop.js';
export { createShopRegistry, type MadeRepair } from './shop-steps.js';
export type {
  FindInstance,
  Happening,
  ShopInput,
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
  type ShopWatch,
} from './start-shop.js';
export { type RolledBack, readStory, type ShopStory, type ShopTurn } from './story.js';
export { tellStory } from './story-lines.js';
export type { ShopOutcome } from './waiters.js';
