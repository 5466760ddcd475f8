import { type PlanStory, type PlanTurn, storyReader } from '@alas-jssp/living-plan';
import { downtimesAfter } from './breakdowns.js';
import type { ShopKind } from './shop-values.js';

/** The record of an instant of a shop, read from the log. */
export type ShopTurn = PlanTurn<ShopKind>;

/** The story of a shop; its notes are the reported downtimes that may not be over. */
export type ShopStory = PlanStory<ShopKind>;

/** The reader of the stories of shops. */
export const shopReader = storyReader<ShopKind>('shop', [], downtimesAfter);

export const { newStory, addEntry, readStory, readTurn } = shopReader;
