import { type Clock, idleClock } from '@alas-jssp/core/clock';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';

import type { Caller } from '../api/common.js';
import type { NewShopRequest, ReportRequest } from '../api/shop-schemas.js';
import { wireInstance } from '../api/wire.js';
import type { ShopDirectory } from '../shops/shop-directory.js';
import { demoShop } from './demo-shop.js';
import { createTroublemaker } from './troubles.js';

/** Options of the demo. */
export interface DemoOptions {
  /** Default 1; the same seed and the same decisions on proposals produce the same events. */
  readonly seed?: number | undefined;
  /** Seconds between two random events; default 60. */
  readonly seconds?: number | undefined;
  /** Shop seconds per wall-clock second; default 60. */
  readonly speed?: number | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  /** Receives a line for each event. */
  readonly onTrouble?: ((line: string) => void) | undefined;
}

/** Seconds after which a proposal without a decision is approved. */
const PATIENCE = 45;
const FLOOR: Caller = { name: 'floor', role: 'report' };
const HOST: Caller = { name: 'demo', role: 'decide' };
/** The number of next operations per machine that the troublemaker sees. */
const SIGHT = 50;
/** Looks at the shop per random event: machines recover in between. */
const LOOKS = 6;
/** Milliseconds before a busy shop is asked again. */
const BREATH = 1000;
/** The number of operations beyond which a shop is closed and a new one opened. */
const MOST_OPERATIONS = 400;

/** The request that opens the shop of the demo. */
export function demoRequest(id: string, speed = 60): NewShopRequest {
  return {
    id,
    instance: wireInstance(demoShop()),
    policy: {
      objective: 'total-weighted-tardiness',
      approval: { seconds: PATIENCE, otherwise: 'approve' },
    },
    clock: { speed },
  };
}

/** Plays the demo until the signal is aborted: opens or resumes its shop, and reports random events to it. */
export async function playDemo(directory: ShopDirectory, options: DemoOptions): Promise<void> {
  while (!options.signal.aborted) {
    const id = await openDemo(directory, options);
    await playShop(directory, id, options);
  }
}

/** Finds the open shop of the demo in the directory, or opens a new one. */
async function openDemo(directory: ShopDirectory, options: DemoOptions): Promise<string> {
  const shops = (await directory.list()).filter(({ id }) => /^demo(-\d+)?$/.test(id));
  const open = shops.find(({ status }) => status === 'open');
  if (open !== undefined) return open.id;
  const id = shops.length === 0 ? 'demo' : `demo-${shops.length + 1}`;
  const create = () => directory.create(demoRequest(id, options.speed), { caller: HOST });
  return (await whenFree(create, options)).id;
}

/** Reports random events to a shop until it is closed, or has grown too large. */
async function playShop(directory: ShopDirectory, id: string, options: DemoOptions): Promise<void> {
  const { seed = 1, seconds = 60, signal, clock = idleClock } = options;
  const trouble = createTroublemaker(createRandom(deriveSeed(seed, id, 'troubles')));
  for (let look = 0; !signal.aborted; look++) {
    const state = await whenFree(() => directory.state(id, { next: SIGHT }), options);
    if (state.status !== 'open') return;
    if (state.operations > MOST_OPERATIONS && state.waits_for === 'command') {
      await whenFree(() => directory.close(id, { caller: HOST }), options);
      return;
    }
    const isTime = look % LOOKS === 0 && state.waits_for === 'command';
    const events = [...trouble.recover(state), ...(isTime ? trouble.next(state) : [])];
    if (events.length > 0) await report(directory, id, events, options);
    await clock.sleep((seconds * 1000) / LOOKS, signal).catch(() => {});
  }
}

/** Retries an action until the shops are not too busy for it. */
async function whenFree<T>(
  act: () => Promise<T>,
  { signal, clock = idleClock }: DemoOptions,
): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const isLater = error instanceof AlasError && ['busy', 'shop_opening'].includes(error.code);
      if (!isLater || signal.aborted) throw error;
      await clock.sleep(BREATH, signal).catch(() => {});
    }
  }
}

/** Reports events to the shop; events that are no longer valid do not stop the demo. */
async function report(
  directory: ShopDirectory,
  id: string,
  events: ReportRequest['events'],
  { onTrouble }: DemoOptions,
): Promise<void> {
  try {
    const { lines, reasons } = await directory.report(id, { events }, { caller: FLOOR });
    onTrouble?.([...lines, ...reasons].join('; '));
  } catch (error) {
    if (!(error instanceof InputError || error instanceof AlasError)) throw error;
    onTrouble?.(error.message);
  }
}
