import { useEffect, useRef, useState } from 'preact/hooks';
import { AlasError } from '../browser/index.js';
import { firstShop } from './first-shop.js';
import { warmUpFor } from './model/handle-event.js';
import { type PlayState, validSchedule } from './model/play-state.js';
import { isShopHash, openHash, replayLinked } from './model/share-link.js';

/** A short message for the reader. */
interface Notice {
  readonly tone: 'error' | 'info';
  readonly text: string;
}

/** The states of a shop, and the ways to change it. */
export interface Playground {
  readonly state: PlayState;
  /** All states, the current one last. */
  readonly history: readonly PlayState[];
  readonly notice: Notice | null;
  readonly isBusy: boolean;
  setNotice(notice: Notice | null): void;
  /**
   * Changes the shop; an error becomes a notice, and changes nothing.
   *
   * @returns whether it was changed
   */
  change(next: (state: PlayState) => PlayState | Promise<PlayState>): Promise<boolean>;
  /** Opens another shop: there is no undo across shops. */
  open(make: () => PlayState): void;
  undo(): void;
}

/** The words for an error that a reader caused, or met. */
export function wordsOfError(error: unknown): string {
  if (error instanceof AlasError) return error.message;
  return error instanceof Error ? `This failed: ${error.message}` : 'This failed.';
}

/** Keeps the shop of the page. */
export function usePlayground(): Playground {
  const [history, setHistory] = useState<readonly PlayState[]>(() => [firstShop()]);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isBusy, setBusy] = useState(false);
  const latest = useRef(history);
  latest.current = history;
  const state = history[history.length - 1];

  const setAll = (all: readonly PlayState[]) => {
    latest.current = all;
    setHistory(all);
  };
  const change: Playground['change'] = async (next) => {
    setNotice(null);
    const before = latest.current;
    setBusy(true);
    try {
      const after = await next(before[before.length - 1]);
      // If the shop has changed in the meantime, the result is out of date.
      if (latest.current !== before) return false;
      setAll([...before, after]);
      return true;
    } catch (error) {
      setNotice({ tone: 'error', text: wordsOfError(error) });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const open: Playground['open'] = (make) => {
    setNotice(null);
    try {
      setAll([make()]);
    } catch (error) {
      setNotice({ tone: 'error', text: wordsOfError(error) });
    }
  };
  const undo = () => {
    setNotice(null);
    if (latest.current.length > 1) setAll(latest.current.slice(0, -1));
  };
  useLinks(setAll, change, setNotice);
  useWarmEngine(state);
  return { state, history, notice, isBusy, setNotice, change, open, undo };
}

/** Opens the shop of the address, at first and whenever the address changes. */
function useLinks(
  setAll: (all: readonly PlayState[]) => void,
  change: Playground['change'],
  setNotice: Playground['setNotice'],
): void {
  useEffect(() => {
    const follow = async () => {
      const { hash } = location;
      if (!isShopHash(hash)) return;
      try {
        const linked = await openHash(hash);
        if (location.hash !== hash) return;
        setAll([linked.state]);
        // An event that fails is the last: those after it were of another shop.
        for (let index = 0; index < linked.events.length; index++) {
          if (!(await change((before) => replayLinked(before, linked, index)))) return;
        }
      } catch (error) {
        setNotice({ tone: 'error', text: wordsOfError(error) });
      }
    };
    void follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
}

/** Milliseconds after which a new schedule is prepared for repairs: later than its animation, if it has one. */
const WARM_AFTER = { plan: 300, other: 1200 };

/** Prepares the first repair of a shop, while the reader looks at it. */
function useWarmEngine(state: PlayState): void {
  useEffect(() => {
    const schedule = validSchedule(state);
    if (schedule === null || state.now !== null) return;
    const after = state.step.kind === 'plan' ? WARM_AFTER.plan : WARM_AFTER.other;
    const timer = setTimeout(() => void warmUpFor(schedule).catch(() => {}), after);
    return () => clearTimeout(timer);
  }, [state]);
}
