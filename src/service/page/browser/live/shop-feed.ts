import { monotonicSeconds } from '../../../../core/clock.js';
import type { ProposalView, ScheduleView } from '../../../../harness/page/schedule-data.js';
import type { Caller } from '../../../api/common.js';
import type { ChangeAnswer, ShopStateAnswer } from '../../../api/shop-schemas.js';
import { AnswerProblem, ask, readChanges } from './requests.js';

/** A shop as the page knows it. */
export interface FollowedShop {
  readonly state: ShopStateAnswer;
  /** Who looks at it, and may do what. */
  readonly session: Caller;
  /** When the state came, by a clock that only this page knows. */
  readonly came: number;
  /** The schedule that is followed. */
  readonly followed: ScheduleView;
  /** The one that is proposed; null if none is. */
  readonly proposed: ProposalView | null;
  /** The plan that it began with: downtimes that it has are no breakdowns. */
  readonly plan: ScheduleView;
  /** The last changes, the last one first. */
  readonly changes: readonly ChangeAnswer[];
}

/** How a feed stands: `live` hears of every change, `lost` tries to again; `missing` has no such shop, and looks again. */
export type Connection = 'opening' | 'live' | 'lost' | 'missing' | 'ended';

/** News of a feed. */
export interface FeedState {
  readonly shop: FollowedShop | null;
  readonly connection: Connection;
  /** The last thing that went wrong; null once it is well again. */
  readonly problem: AnswerProblem | null;
}

/** A shop that is being followed. */
export interface ShopFeed {
  /** Asks for the state again, as after one's own request. */
  refresh(): void;
  stop(): void;
}

/** Changes that are kept for the reader. */
const MOST = 100;

/** Seconds between two requests for the state, however many changes come. */
const PACE = 0.25;

/** Seconds after which the state is asked for again, though nothing was heard. */
const LOOK_AGAIN = 30;

/** Seconds until the next try, the longer the more have failed. */
const WAITS = [0.5, 1, 2, 5, 10];

/** Follows a shop: its state, its schedules, and its changes as they come, also over lost connections. */
export function openShopFeed(id: string, publish: (news: FeedState) => void): ShopFeed {
  const path = `shops/${encodeURIComponent(id)}`;
  const stopped = new AbortController();
  const { signal } = stopped;
  let news: FeedState = { shop: null, connection: 'opening', problem: null };
  const tell = (part: Partial<FeedState>) => {
    news = { ...news, ...part };
    if (!signal.aborted) publish(news);
  };
  const load = async () => {
    const shop = await loadShop(path, news.connection === 'live' ? news.shop : null, signal);
    // Changes may have been noted meanwhile.
    const changes = shop.changes ?? news.shop?.changes ?? [];
    tell({ shop: { ...shop, changes }, problem: null });
    return shop.state;
  };
  const refresh = paced(load, (error) => tell({ problem: asProblem(error) }), signal);
  const note = (change: ChangeAnswer) => {
    const { shop } = news;
    if (shop === null || shop.changes.some(({ id }) => id === change.id)) return;
    tell({ shop: { ...shop, changes: [change, ...shop.changes].slice(0, MOST) } });
    refresh();
  };
  void listen(id, { load, note, tell, signal });
  const looks = setInterval(refresh, LOOK_AGAIN * 1000);
  // A tablet that wakes up does not know yet that its connection is gone.
  addEventListener('visibilitychange', refresh, { signal });
  signal.addEventListener('abort', () => clearInterval(looks));
  return { refresh, stop: () => stopped.abort() };
}

interface Listening {
  readonly load: () => Promise<ShopStateAnswer>;
  readonly note: (change: ChangeAnswer) => void;
  readonly tell: (part: Partial<FeedState>) => void;
  readonly signal: AbortSignal;
}

/** Hears of changes until the shop ends; after a lost connection all is asked for anew. */
async function listen(id: string, { load, note, tell, signal }: Listening): Promise<void> {
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    tell({ connection: 'live', problem: null });
  };
  while (!signal.aborted) {
    try {
      const state = await load();
      if (state.status !== 'open') return tell({ connection: 'ended' });
      for await (const change of readChanges(id, state.last_change, signal, onOpen)) note(change);
      tell({ connection: 'opening' });
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      // A shop that a service does not have any more is not shown as if it went on.
      const isMissing = problem.status === 404;
      tell({
        connection: isMissing ? 'missing' : 'lost',
        problem,
        ...(isMissing && { shop: null }),
      });
      // A token that is missing or wrong stays so; what is not there may come.
      if (problem.status === 401 || problem.status === 403) return;
    }
    await wait(WAITS[Math.min(failures++, WAITS.length - 1)], signal);
  }
}

/**
 * The state of a shop with its schedules; those that are known already are not asked for again.
 *
 * @param known null after a lost connection, too: the service may be another one since
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

/** Whether somebody's role lets them tell the shop of events, or decide on what becomes of it. */
export function mayDo({ role }: Caller, what: 'report' | 'decide'): boolean {
  return role === 'decide' || role === what;
}

/** The proposal; null if somebody has answered it since. */
async function proposedView(view: Promise<ProposalView>): Promise<ProposalView | null> {
  try {
    return await view;
  } catch (error) {
    if (error instanceof AnswerProblem && (error.status === 404 || error.status === 409))
      return null;
    throw error;
  }
}

/** Has something done now, and while it is being done once more afterwards, however often it is asked for. */
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

/** An error as a problem; those of this page, too. */
export function asProblem(error: unknown): AnswerProblem {
  if (error instanceof AnswerProblem) return error;
  return new AnswerProblem(0, 'page', String(error));
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A page that is open for months waits often: nothing of a wait that is over may stay.
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener('abort', end);
  });
}
