import { monotonicSeconds } from '@alas-jssp/core/clock';
import type { RunProgress } from '../../harness/run/run.js';
import type { AskWait } from '../../llm/ask.js';
import { formatSeconds } from '../../report/format.js';
import { describeWait, isLongWait } from './model-words.js';
import { LINE_EVERY } from './output.js';
import type { OutputStream } from './session.js';

/** Cells of the bar on a terminal. */
const BAR = 24;

/** Seconds between two drawings of the bar. */
const DRAW_EVERY = 0.1;

/** Hides the cursor, and cuts lines at the edge of the terminal, while the bar is drawn; {@link RESTORE} reverts both. */
const PREPARE = '\x1b[?25l\x1b[?7l';
const RESTORE = '\x1b[?25h\x1b[?7h';
const CLEAR = '\r\x1b[K';

/** Shows the progress of a run on stderr. */
export interface ProgressDisplay {
  update(progress: RunProgress): void;
  /** Shows that the run waits, and why. */
  wait(wait: AskWait): void;
  /** Prepares a line for the same stream, so that it does not mix with the display. */
  above(line: string): string;
  stop(): void;
}

/** A bar on a terminal, else a plain line every few seconds. */
export function createProgressDisplay(stream: OutputStream): ProgressDisplay {
  return stream.isTTY ? createBar(stream) : createLines((line) => stream.write(`${line}\n`));
}

/** Shows nothing. */
export const silentDisplay: ProgressDisplay = {
  update: () => {},
  wait: () => {},
  above: (line) => line,
  stop: () => {},
};

/** A line every few seconds; none for a shorter run. */
export function createLines(write: (line: string) => void): ProgressDisplay {
  const started = monotonicSeconds();
  let latest: RunProgress | null = null;
  const timer = setInterval(() => {
    if (latest !== null) write(describeProgress(latest, monotonicSeconds() - started));
  }, 1000 * LINE_EVERY);
  const reported = new Map<string, number>();
  return {
    update: (progress) => {
      latest = progress;
    },
    wait: (wait) => {
      // Many requests may wait for the same reason.
      const now = monotonicSeconds();
      if (!isLongWait(wait) || now < (reported.get(wait.reason) ?? 0)) return;
      reported.set(wait.reason, now + wait.seconds);
      write(describeWait(wait));
    },
    above: (line) => line,
    stop: () => clearInterval(timer),
  };
}

function createBar(stream: OutputStream): ProgressDisplay {
  const started = monotonicSeconds();
  let latest: RunProgress = { done: 0, kept: 0, total: 0 };
  let waiting = { text: '', until: 0 };
  let state: 'new' | 'drawn' | 'stopped' = 'new';
  let drawnAt = 0;
  let shown = '';
  const draw = () => {
    drawnAt = monotonicSeconds();
    const cells = latest.total === 0 ? BAR : Math.floor((BAR * latest.done) / latest.total);
    const bar = '█'.repeat(cells) + '░'.repeat(BAR - cells);
    const wait = drawnAt < waiting.until ? `, ${waiting.text}` : '';
    const line = `${CLEAR}${bar} ${describeProgress(latest, drawnAt - started)}${wait}`;
    if (line !== shown) stream.write(line);
    shown = line;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    update(progress) {
      latest = progress;
      if (state === 'new') {
        state = 'drawn';
        stream.write(PREPARE);
        draw();
        timer = setInterval(draw, 1000 * DRAW_EVERY);
      }
      // If the thread is busy, the timer is late.
      if (state === 'drawn' && monotonicSeconds() - drawnAt > 2 * DRAW_EVERY) draw();
    },
    above(line) {
      shown = '';
      return `${CLEAR}${line}`;
    },
    wait(wait) {
      if (!isLongWait(wait)) return;
      waiting = { text: describeWait(wait), until: monotonicSeconds() + wait.seconds };
    },
    stop: () => {
      clearInterval(timer);
      if (state === 'drawn') stream.write(`${CLEAR}${RESTORE}`);
      state = 'stopped';
    },
  };
}

/**
 * The progress of a run, such as `12 of 80 (15 %), 3 s elapsed, 20 s left`. The time left is known after the
 * first record.
 *
 * @param seconds since the run began
 */
export function describeProgress({ done, kept, total }: RunProgress, seconds: number): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  const parts = [`${done} of ${total} (${share} %)`, `${inWholeSeconds(seconds)} elapsed`];
  if (done > kept) {
    parts.push(`${inWholeSeconds((seconds * (total - done)) / (done - kept))} left`);
  }
  return parts.join(', ');
}

function inWholeSeconds(seconds: number): string {
  return seconds < 59.5 ? `${Math.round(seconds)} s` : formatSeconds(seconds);
}
