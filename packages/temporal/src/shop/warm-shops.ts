import { type PlanLog, stepOf } from '@alas-jssp/living-plan';
import type { Json, LogEntry, Registry } from '@alas-jssp/workflow';
import { AlasError } from 'alas-jssp';
import {
  createShopMemory,
  fingerprint,
  type ShopInput,
  type ShopMemory,
  shopHandlers,
} from 'alas-jssp/shop';
import type { ShopStep } from './shop-values.js';

/** A shop in the memory of a worker. */
export interface WarmShop {
  readonly memory: ShopMemory;
  readonly registry: Registry;
  readonly log: KnownLog;
  /** Operations of the plan: its size in memory. */
  readonly operations: number;
  /**
   * The same object again if one of the last was equal: derived values are found by its identity.
   */
  intern(value: Json): Json;
}

/** The shops that a worker knows. */
export interface WarmShops {
  /** The shop of a step; undefined if its present version is unknown. */
  find(step: ShopStep): WarmShop | undefined;
  /**
   * Loads a shop from its log. @throws AlasError `damaged_log` if that does not make the followed
   * version
   */
  fill(step: ShopStep, input: ShopInput, entries: readonly LogEntry[]): WarmShop;
}

/** Number of values that a shop recognises: an instant and a proposal, each in the steps. */
const RECOGNISED = 6;

/**
 * Creates a memory for shops that drops the least recently used.
 *
 * @param room total operations of the shops in it; the last eight versions of each shop are kept
 */
export function createWarmShops(room = 500_000): WarmShops {
  const shops = new Map<string, WarmShop>();
  const keyOf = ({ runId, chain }: ShopStep) => `${chain}/${runId}`;
  const makeRoom = () => {
    let sum = 0;
    for (const { operations } of shops.values()) sum += operations;
    for (const [key, { operations }] of shops) {
      if (sum <= room || shops.size === 1) return;
      shops.delete(key);
      sum -= operations;
    }
  };
  return {
    find(step) {
      const key = keyOf(step);
      const shop = shops.get(key);
      if (shop === undefined) return undefined;
      shops.delete(key);
      if (!shop.log.reaches(step.version) || !isSame(shop, step)) return undefined;
      shops.set(key, shop);
      return shop;
    },
    fill(step, input, entries) {
      const log = createKnownLog(input, entries);
      const memory = createShopMemory(log);
      const { instance } = memory.open(step.runId, input);
      const shop: WarmShop = {
        memory,
        log,
        intern: createInterning(),
        registry: shopHandlers({ memory }),
        operations: instance.operations,
      };
      if (!shop.log.reaches(step.version) || !isSame(shop, step)) {
        const message = `the log of ${step.runId} does not make version ${step.version} of it`;
        throw new AlasError('damaged_log', message, step.version);
      }
      shops.set(keyOf(step), shop);
      makeRoom();
      return shop;
    },
  };
}

/** Whether the followed version is that of the log, not one that was discarded here. */
function isSame({ memory }: WarmShop, { runId, version, sha256 }: ShopStep): boolean {
  if (sha256 === null || version === 0) return true;
  return fingerprint(memory.versionOf(runId, version).schedule) === sha256;
}

/** The entries from which the versions of a shop are made. */
interface KnownLog extends PlanLog {
  /** Drops the entries after a version; returns whether all up to it exist. */
  reaches(version: number): boolean;
  /** Adds the version that a step has just made. */
  add(entries: readonly LogEntry[]): void;
}

function createKnownLog(input: ShopInput, entries: readonly LogEntry[]): KnownLog {
  const first = { version: 0, eventType: 'StartRun', nodeId: '', payload: { input } };
  let known = [...entries];
  const commits = () => known.filter(isCommit).length;
  return {
    *read({ to, eventTypes }) {
      if (to === 0) yield first as unknown as LogEntry;
      else if (eventTypes?.includes('EndNode') !== false) yield* known;
    },
    add: (more) => void known.push(...more),
    reaches(version) {
      const most = Math.max(0, version - 1);
      if (commits() < most) return false;
      let seen = 0;
      known = known.filter((entry) => {
        const isLater = seen >= most;
        if (isCommit(entry)) seen++;
        return !isLater;
      });
      return true;
    },
  };
}

function isCommit({ nodeId }: LogEntry): boolean {
  return stepOf(nodeId) === 'commit';
}

function createInterning(): (value: Json) => Json {
  const known = new Map<string, Json>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, value);
    for (const oldest of known.keys()) {
      if (known.size <= RECOGNISED) break;
      known.delete(oldest);
    }
    return value;
  };
}
