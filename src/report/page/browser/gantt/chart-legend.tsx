import type { MovesView, ScheduleView } from '../../../../harness/page/schedule-data.js';
import { CAUSES } from './chart-colours.js';

interface Props {
  readonly view: ScheduleView;
  readonly moves: MovesView | null;
  readonly showsCritical: boolean;
  readonly now: number | null;
}

/** The marks of a chart in words; only those that it has. */
export function ChartLegend({ view, moves, showsCritical, now }: Props) {
  const counts = new Map<string, number>();
  for (const { cause } of moves?.moved ?? []) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return (
    <ul class="gantt-legend">
      {moves !== null && <li>each row: before above, after below; what did not move is pale</li>}
      {CAUSES.filter(({ cause }) => counts.has(cause)).map(({ cause, series, words }) => (
        <li key={cause}>
          <span class={`swatch series-${series}`} aria-hidden="true" /> {words} ({counts.get(cause)}
          )
        </li>
      ))}
      {showsCritical && view.critical.length > 0 && (
        <li>
          <span class="swatch outlined" aria-hidden="true" /> critical path
        </li>
      )}
      {view.downtimes.machine.length > 0 && (
        <li>
          <span class="swatch hatched" aria-hidden="true" /> machine is down
        </li>
      )}
      {view.violations.length > 0 && (
        <li>
          <span class="swatch crossed" aria-hidden="true" /> breaks a rule; dashed with a corner: a
          false claim
        </li>
      )}
      {now !== null && <li>dashed line: now; what is done is paler</li>}
    </ul>
  );
}
