import type { MoveCause } from '../../../../harness/page/schedule-data.js';

/** The colours of a chart, as the page has them now. */
export interface ChartColours {
  readonly ground: string;
  readonly raised: string;
  readonly line: string;
  readonly ink: string;
  readonly quiet: string;
  readonly bad: string;
  readonly focus: string;
  readonly causes: Readonly<Record<MoveCause, string>>;
}

/** Causes of moves with the series of the page's colours that they are drawn in, and words for them. */
export const CAUSES: readonly {
  readonly cause: MoveCause;
  readonly series: number;
  readonly words: string;
}[] = [
  { cause: 'event', series: 1, words: 'an event hit it' },
  { cause: 'fault', series: 1, words: 'part of a violation' },
  { cause: 'missing', series: 2, words: 'had no start before' },
  { cause: 'job', series: 0, words: 'waits for its job' },
  { cause: 'machine', series: 5, words: 'waits for its machine' },
  { cause: 'place', series: 3, words: 'another place in the queue' },
  { cause: 'earlier', series: 4, words: 'starts earlier' },
  { cause: 'limit', series: 6, words: 'pinned by a limit' },
  { cause: 'later', series: 7, words: 'moved with the others' },
];

/** Reads the colours of the page as they are now: light or dark, and light for paper. */
export function readColours(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#808080';
  const causes = CAUSES.map(({ cause, series }) => [cause, read(`series-${series}`)]);
  return {
    ground: read('ground'),
    raised: read('raised'),
    line: read('line'),
    ink: read('ink'),
    quiet: read('quiet'),
    bad: read('bad'),
    focus: read('focus'),
    causes: Object.fromEntries(causes),
  };
}
