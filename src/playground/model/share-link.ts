import {
  AlasError,
  createSchedule,
  InputError,
  parseInstance,
  parsePlan,
  withModes,
  writeInstanceJson,
  writePlanJson,
} from '../../browser/index.js';
import { replayEvent } from './handle-event.js';
import { benchmarkNames, type LoadedInstance, openBenchmark } from './instances.js';
import { LIMITS, refuseLargeShop, withThousands } from './limits.js';
import { acceptPlan, shopWith } from './open-shop.js';
import { packText, unpackText } from './packed-text.js';
import { type KnownEvent, type PlayState, validSchedule } from './play-state.js';

/** The content of a link: a shop before its last events, its plan, and the events, which are repaired again. */
interface LinkContent {
  readonly v: 1;
  /** A benchmark of this page … */
  readonly benchmark?: string;
  /** … or an instance in our JSON format. */
  readonly instance?: string;
  /** The time of a shop in execution. */
  readonly now?: number;
  /** The starts of a schedule, and its modes if there are several, … */
  readonly starts?: readonly number[];
  readonly modes?: readonly number[];
  /** … or a wrong plan in JSON. */
  readonly plan?: string;
  readonly events: readonly KnownEvent[];
}

/** A shop from a link, and the events that follow. */
export interface LinkedShop {
  readonly state: PlayState;
  readonly events: readonly KnownEvent[];
}

/** The prefix of the hash of a link, which names its format. */
const PREFIX = '#shop=';

/** Whether a hash contains a shop. */
export function isShopHash(hash: string): boolean {
  return hash.startsWith(PREFIX);
}

/**
 * The hash that opens a shop again: its state before the last events, which are then repaired again in front of the
 * reader.
 *
 * @param history states, the current one last
 * @throws InputError `too_long`; as the writers do
 */
export async function shopHash(history: readonly PlayState[]): Promise<string> {
  const first = history.findLastIndex(({ event }) => event === null);
  const events = history.slice(first + 1).flatMap(({ event }) => event ?? []);
  const hash = PREFIX + (await packText(JSON.stringify(contentOf(history[first], events))));
  if (hash.length <= LIMITS.link) return hash;
  const problem = `the link would have ${withThousands(hash.length)} characters, the limit is ${withThousands(LIMITS.link)}`;
  throw new InputError('too_long', problem, 'save the plan as a file instead');
}

function contentOf(state: PlayState, events: readonly KnownEvent[]): LinkContent {
  const { instance, candidate, now } = state;
  const isBenchmark =
    now === null && state.known !== null && benchmarkNames.includes(instance.name);
  const schedule = validSchedule(state);
  const { modes } = instance;
  return {
    v: 1,
    ...(isBenchmark ? { benchmark: instance.name } : { instance: writeInstanceJson(instance) }),
    ...(now === null ? {} : { now }),
    ...(schedule === null
      ? { plan: writePlanJson(candidate, { shop: instance }) }
      : { starts: Array.from(schedule.start) }),
    ...(schedule === null || modes === null ? {} : { modes: Array.from(modes.chosen) }),
    events,
  };
}

/**
 * Opens the shop of a hash.
 *
 * @throws InputError `bad_link` if it is damaged or of a later version
 */
export async function openHash(hash: string): Promise<LinkedShop> {
  try {
    const content = JSON.parse(await unpackText(hash.slice(PREFIX.length))) as LinkContent;
    if (content.v !== 1 || !Array.isArray(content.events)) throw new Error('of no known form');
    return { state: stateOf(content), events: content.events };
  } catch (error) {
    const reason = error instanceof AlasError ? error.message : 'it is incomplete or damaged';
    throw new InputError('bad_link', `this link cannot be opened: ${reason}`, 'ask for it again');
  }
}

/**
 * Repairs a shop after an event of its link.
 *
 * @param index of the event, from 0
 * @throws InputError `bad_link` that says which event failed, and why
 */
export async function replayLinked(
  before: PlayState,
  { events }: LinkedShop,
  index: number,
): Promise<PlayState> {
  try {
    return await replayEvent(before, events[index]);
  } catch (error) {
    const reason = error instanceof AlasError ? error.message : 'it is incomplete or damaged';
    const which = events.length === 1 ? 'the event' : `event ${index + 1} of ${events.length}`;
    const problem = `${which} of this link cannot be repaired: ${reason}`;
    throw new InputError('bad_link', problem, 'the plan is shown as it was before it');
  }
}

function stateOf(content: LinkContent): PlayState {
  const loaded: LoadedInstance =
    content.benchmark === undefined
      ? { instance: parseInstance(content.instance ?? ''), known: null }
      : openBenchmark(content.benchmark);
  const { instance } = loaded;
  refuseLargeShop(instance.operations);
  const words = {
    title: `Opened a shared plan of ${instance.name}`,
    sentence: 'This plan comes from a link. It was judged again in this page.',
  };
  const { starts, modes, plan = '', now = null } = content;
  if (starts === undefined) {
    const read = acceptPlan(instance, parsePlan(plan, undefined, instance).plan);
    return { ...shopWith(loaded, read, words), now };
  }
  const chosen = modes === undefined ? instance : withModes(instance, Int32Array.from(modes));
  return { ...shopWith(loaded, createSchedule(chosen, Int32Array.from(starts)), words), now };
}
