import { jobColour } from 'alas-jssp/chart';
import { type Markup, markup } from 'alas-jssp/command-line';
import type { PlanBar, PlanChartRow } from './chart-rows.js';

/** The legend of the marks that the charts use. */
export function chartLegend(rows: readonly PlanChartRow[], key: string): Markup {
  const bars = rows.flatMap((row) => row.bars);
  const has = (test: (bar: PlanBar) => boolean) => bars.some(test);
  const isIncomplete = rows.some(({ missing }) => missing.length > 0);
  const entries: (false | readonly [Markup, string])[] = [
    has(({ kind }) => kind === 'wait') && [box('wait'), 'is at a place, and waits'],
    has(({ kind }) => kind === 'stay') && [box('stay'), 'said to be there'],
    has(({ kind }) => kind === 'watch') && [box('watch'), 'is there, as somebody has to be'],
    has(({ slow }) => slow.length > 0) && [
      hatched(`${key}-slow`, jobColour(0).fill),
      'slow because of traffic',
    ],
    rows.some(({ limits }) => limits.length > 0) && [
      markup`<path class="limit" d="M4,14V1l6,4l-6,4M20,14V1l-6,4l6,4"/>`,
      'from when on, and by when',
    ],
    rows.some(({ shades }) => shades.length > 0) && [
      hatched(`${key}-away`),
      'not there yet or any more, or closed',
    ],
    has(({ change }) => change !== null) && [box('change'), 'differs from the other plan'],
    has(({ kind }) => kind === 'ghost') && [box('ghost'), 'where it was before'],
    (isIncomplete || has(({ faults }) => faults.length > 0)) && [
      markup`<rect class="fault" width="24" height="12" rx="2" fill="url(#${key}-wrong)"/>`,
      'wrong: the number is that of the list',
    ],
  ];
  return markup`<ul class="legend drawn">${entries.map(
    (entry) =>
      entry !== false &&
      markup`<li><svg width="26" height="14" aria-hidden="true">${entry[0]}</svg>${entry[1]}</li>`,
  )}</ul>`;
}

function box(kind: string): Markup {
  return markup`<rect class="${kind}" x="1" y="1" width="23" height="11" rx="2"/>`;
}

function hatched(pattern: string, ground = 'none'): Markup {
  return markup`<rect width="24" height="12" fill="${ground}"/><rect width="24" height="12" fill="url(#${pattern})"/>`;
}
