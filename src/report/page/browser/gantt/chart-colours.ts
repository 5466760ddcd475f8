import type { MoveCause } from '../../views/schedule-data.js';

/** The colours of a chart in the current theme of the page. */
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

/** Causes of moves, with the colours of the page in which they are drawn. */
export const CAUSES: readonly {
  readonly cause: MoveCause;
  readonly series: number;
}[] = [
  { cause: 'event', series: 1 },
  { cause: 'fault', series: 1 },
  { cause: 'missing', series: 2 },
  { cause: 'new', series: 2 },
  { cause: 'job', series: 0 },
  { cause: 'machine', series: 6 },
  { cause: 'reassigned', series: 3 },
  { cause: 'place', series: 3 },
  { cause: 'earlier', series: 4 },
  { cause: 'limit', series: 5 },
  { cause: 'later', series: 7 },
];

/** Reads the current colours of the page: light or dark, and light for paper. */
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
