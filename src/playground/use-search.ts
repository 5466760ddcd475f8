import { useEffect, useRef, useState } from 'preact/hooks';
import { createSchedule, withModes } from '../browser/index.js';
import { judgeShop } from './model/judge-shop.js';
import type { PlayState } from './model/play-state.js';
import { type RunningSearch, searchInWorker } from './model/search-client.js';
import type { FoundSchedule, SearchMessage } from './model/search-worker.js';
import type { Playground } from './use-playground.js';

/** A point of the curve: the best makespan found by that time. */
export interface CurvePoint {
  readonly seconds: number;
  readonly value: number;
}

/** A search as the page shows it. */
export interface LiveSearch {
  readonly isRunning: boolean;
  readonly points: readonly CurvePoint[];
  readonly seconds: number;
  readonly iterations: number;
  readonly lower: number | null;
  /** The best state so far, which the chart shows during the search; null if there is none. */
  readonly shown: PlayState | null;
  start(seconds: number): void;
  stop(): void;
}

interface CurveProgress {
  readonly points: readonly CurvePoint[];
  readonly seconds: number;
  readonly iterations: number;
  readonly lower: number | null;
}

const NOTHING: CurveProgress = { points: [], seconds: 0, iterations: 0, lower: null };

/** Optimizes the plan of the page in a worker. */
export function useSearch({ state, change, setNotice }: Playground): LiveSearch {
  const running = useRef<RunningSearch | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [progress, setProgress] = useState(NOTHING);
  const [shown, setShown] = useState<PlayState | null>(null);
  const from = useRef(state);

  const end = () => {
    running.current?.close();
    running.current = null;
    setRunning(false);
    setShown(null);
  };
  // Any other change of the shop makes the search useless.
  useEffect(() => {
    if (running.current !== null && from.current !== state) end();
  }, [state]);
  useEffect(() => () => running.current?.close(), []);

  const receive = (base: PlayState) => (message: SearchMessage) => {
    if (running.current === null || from.current !== base) return;
    if (message.kind === 'progress') {
      const { seconds, iterations, lower } = message;
      setProgress((old) => ({ ...old, seconds, iterations, lower: lower.value }));
    } else if (message.kind === 'found') {
      setProgress((old) => ({ ...old, points: [...old.points, message.found] }));
      setShown(stateWith(base, message.found));
    } else if (message.kind === 'failed') {
      end();
      setNotice({ tone: 'error', text: message.message });
    } else {
      const { seconds } = message.found;
      const { iterations, lower } = message;
      setProgress((old) => ({ ...old, seconds, iterations, lower: lower.value }));
      const after = finished(base, message);
      end();
      void change(() => after);
    }
  };
  return {
    ...progress,
    isRunning,
    shown,
    start(seconds) {
      setNotice(null);
      setProgress(NOTHING);
      from.current = state;
      const { schedule, lower } = judgeShop(state);
      const wish = { start: schedule, seconds, bound: lower };
      running.current = searchInWorker(state.instance, wish, receive(state));
      setRunning(true);
    },
    stop: () => running.current?.stop(),
  };
}

function stateWith(base: PlayState, { starts, modes }: FoundSchedule): PlayState {
  const instance = modes === null ? base.instance : withModes(base.instance, modes);
  return { ...base, instance, candidate: createSchedule(instance, starts), event: null };
}

/** The state after a search, with the bound that it proved. */
function finished(base: PlayState, message: Extract<SearchMessage, { kind: 'done' }>): PlayState {
  const { found, status, iterations, lower } = message;
  const before = judgeShop(base);
  const gain = before.view.makespan - found.value;
  const rate = found.seconds > 0 ? Math.round(iterations / found.seconds) : 0;
  const first = !before.view.valid
    ? `The search found a plan that ends at ${found.value}.`
    : gain > 0
      ? `The plan ends at ${found.value}, ${gain} earlier than before.`
      : `The search found nothing better than ${found.value}.`;
  const last =
    status === 'optimal' ? ` It is proven that no plan can end earlier (${lower.source}).` : '';
  return {
    ...stateWith(base, found),
    proven: lower,
    step: {
      kind: 'optimize',
      title: 'Optimized the plan',
      sentence: `${first}${last}`,
      figures: [
        { label: 'search', value: `${found.seconds.toFixed(1)} s` },
        { label: 'iterations', value: iterations.toLocaleString('en-US') },
        { label: 'per second', value: rate.toLocaleString('en-US') },
      ],
      moves: null,
      milliseconds: null,
    },
  };
}
