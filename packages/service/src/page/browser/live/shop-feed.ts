import { monotonicSeconds } from '@alas-jssp/core/clock';
import type { ProposalView, ScheduleView } from 'alas-jssp/page';
import type { Caller } from '../../../api/common.js';
import type { ChangeAnswer, ShopStateAnswer } from '../../../api/shop-schemas.js';
import { AnswerProblem, ask, readChanges } from './requests.js';

/** The data of a shop on the page. */
export interface FollowedShop {
  readonly state: ShopStateAnswer;
  /** The caller and its role. */
  readonly session: Caller;
  /** The arrival time of the state, by a clock of the page alone. */
  readonly came: number;
  /** The followed schedule. */
  readonly followed: ScheduleView;
  /** The proposed schedule; null if there is none. */
  readonly proposed: ProposalView | null;
  /** The initial plan: its downtimes are not breakdowns. */
  readonly plan: ScheduleView;
  /** The last changes, the latest first. */
  readonly changes: readonly ChangeAnswer[];
}

/**
 * The connection of a feed: `live` receives every change, `lost` reconnects, `missing` found no such shop and retries.
 */
export type Connection = 'opening' | 'live' | 'lost' | 'missing' | 'ended';

/** The state of a feed. */
export interface FeedState {
  readonly shop: FollowedShop | null;
  readonly connection: Connection;
  /** The last problem; null once it is solved. */
  readonly problem: AnswerProblem | null;
}

/** The feed of a followed shop. */
export interface ShopFeed {
  /** Requests the state again, for example after a request of the page. */
  refresh(): void;
  stop(): void;
}

/** The number of changes that are kept. */
const MOST = 100;

/** Minimum seconds between two requests for the state. */
const PACE = 0.25;

/** Seconds without a change after which the state is requested again. */
const LOOK_AGAIN = 30;

/** Seconds until the next try, by number of failures. */
const WAITS = [0.5, 1, 2, 5, 10];

/** Follows a shop: loads its state and its schedules, receives its changes, and reconnects. */
export function openShopFeed(id: string, publish: (state: FeedState) => void): ShopFeed {
  const path = `shops/${encodeURIComponent(id)}`;
  const stopped = new AbortController();
  const { signal } = stopped;
  let state: FeedState = { shop: null, connection: 'opening', problem: null };
  const update = (part: Partial<FeedState>) => {
    state = { ...state, ...part };
    if (!signal.aborted) publish(state);
  };
  const load = async () => {
    const shop = await loadShop(path, state.connection === 'live' ? state.shop : null, signal);
    // Changes may have arrived meanwhile.
    const changes = shop.changes ?? state.shop?.changes ?? [];
    update({ shop: { ...shop, changes }, problem: null });
    return shop.state;
  };
  const refresh = paced(load, (error) => update({ problem: asProblem(error) }), signal);
  const note = (change: ChangeAnswer) => {
    const { shop } = state;
    if (shop === null || shop.changes.some(({ id }) => id === change.id)) return;
    update({ shop: { ...shop, changes: [change, ...shop.changes].slice(0, MOST) } });
    refresh();
  };
  void listen(id, { load, note, update, signal });
  const looks = setInterval(refresh, LOOK_AGAIN * 1000);
  // A tablet that wakes up has not yet noticed that its connection is lost.
  addEventListener('visibilitychange', refresh, { signal });
  signal.addEventListener('abort', () => clearInterval(looks));
  return { refresh, stop: () => stopped.abort() };
}

interface Listening {
  readonly load: () => Promise<ShopStateAnswer>;
  readonly note: (change: ChangeAnswer) => void;
  readonly update: (part: Partial<FeedState>) => void;
  readonly signal: AbortSignal;
}

/** Receives changes until the shop ends; after a lost connection it loads everything again. */
async function listen(id: string, { load, note, update, signal }: Listening): Promise<void> {
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    update({ connection: 'live', problem: null });
  };
  while (!signal.aborted) {
    try {
      const state = await load();
      if (state.status !== 'open') return update({ connection: 'ended' });
      for await (const change of readChanges(id, state.last_change, signal, onOpen)) note(change);
      update({ connection: 'opening' });
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      // A shop that the service no longer has is not shown as open.
      const isMissing = problem.status === 404;
      update({
        connection: isMissing ? 'missing' : 'lost',
        problem,
        ...(isMissing && { shop: null }),
      });
      // A missing or wrong token needs the user; a missing shop may appear.
      if (problem.status === 401 || problem.status === 403) return;
    }
    await wait(WAITS[Math.min(failures++, WAITS.length - 1)], signal);
  }
}

/**
 * Loads the state of a shop with its schedules; known schedules are not requested again.
 *
 * @param known null also after a lost connection: the service may be another one since
 */
async function loadShop(
  path: string,
  known: FollowedShop | null,
  signal: AbortSignal,
): Promise<Omit<FollowedShop, 'changes'> & { readonly changes: readonly ChangeAnswer[] | null }> {
  const state = await ask<ShopStateAnswer>(path, { signal });
  const came = monotonicSeconds();
  const view = <View extends ScheduleView>(version: number | 'proposal') =>
    ask<View>(`${path}/view?version=${version}`, { signal });
  const isSame = known?.state.version === state.version;
  const isSameProposal =
    isSame && known.proposed !== null && known.state.proposal?.name === state.proposal?.name;
  const [session, followed, proposed, plan, changes] = await Promise.all([
    known?.session ?? ask<Caller>('session', { signal }),
    isSame ? known.followed : view(state.version),
    state.proposal === null
      ? null
      : isSameProposal
        ? known.proposed
        : proposedView(view('proposal')),
    known?.plan ?? view(1),
    known === null
      ? ask<readonly ChangeAnswer[]>(`${path}/history?most=${MOST}`, { signal })
      : null,
  ]);
  return {
    state,
    session,
    came,
    followed,
    proposed,
    plan,
    changes,
  };
}

/** Whether the role of a caller may report events, or decide on proposals. */
export function mayDo({ role }: Caller, what: 'report' | 'decide'): boolean {
  return role === 'decide' || role === what;
}

/** The proposal; null if it was answered meanwhile. */
async function proposedView(view: Promise<ProposalView>): Promise<ProposalView | null> {
  try {
    return await view;
  } catch (error) {
    if (error instanceof AnswerProblem && (error.status === 404 || error.status === 409))
      return null;
    throw error;
  }
}

/** Runs an action now; any number of calls during its run cause one more run. */
function paced(
  perform: () => Promise<unknown>,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): () => void {
  let isBusy = false;
  let isWanted = false;
  const run = async () => {
    isBusy = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await perform().catch((error) => signal.aborted || onError(error));
      await wait(PACE, signal);
    }
    isBusy = false;
  };
  return () => {
    isWanted = true;
    if (!isBusy) void run();
  };
}

/** Converts any error to a problem. */
export function asProblem(error: unknown): AnswerProblem {
  if (error instanceof AnswerProblem) return error;
  return new AnswerProblem(0, 'page', String(error));
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A page may stay open for months, and waits often: no listener may outlive its wait.
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener('abort', end);
  });
}
