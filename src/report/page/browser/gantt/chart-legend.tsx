import type { RowKind } from '../../../chart/schedule-chart.js';
import type { DowntimeColumns, MovesView, ScheduleView } from '../../views/schedule-data.js';
import { CAUSES } from './chart-colours.js';
import type { ChartTexts } from './chart-texts.js';
import type { TimeMap } from './time-map.js';

interface Props {
  readonly view: ScheduleView;
  readonly kind: RowKind;
  readonly moves: MovesView | null;
  readonly isOutlined: boolean;
  readonly showsCritical: boolean;
  readonly now: number | null;
  readonly closed: DowntimeColumns | null;
  readonly map: TimeMap;
  readonly texts: ChartTexts;
}

/** A legend of the marks that a chart contains. */
export function ChartLegend({
  view,
  kind,
  moves,
  showsCritical,
  now,
  closed,
  map,
  ...props
}: Props) {
  const { isOutlined, texts } = props;
  const { legend, causes } = texts;
  const counts = new Map<string, number>();
  for (const { cause } of moves?.moved ?? []) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return (
    <ul class="gantt-legend">
      {moves !== null && <li>{isOutlined ? legend.outlines : legend.moves}</li>}
      {CAUSES.filter(({ cause }) => counts.has(cause)).map(({ cause, series }) => (
        <li key={cause}>
          <span class={`swatch series-${series}`} aria-hidden="true" /> {causes[cause]} (
          {counts.get(cause)})
        </li>
      ))}
      {showsCritical && view.critical.length > 0 && (
        <li>
          <span class="swatch outlined" aria-hidden="true" /> {legend.critical}
        </li>
      )}
      {kind === 'resource' && (view.resources?.reduced.resource.length ?? 0) > 0 && (
        <li>
          <span class="swatch closed" aria-hidden="true" /> {legend.away}
        </li>
      )}
      {kind !== 'resource' && view.downtimes.machine.length > 0 && (
        <li>
          <span
            class={closed === null ? 'swatch hatched' : 'swatch hatched broken'}
            aria-hidden="true"
          />{' '}
          {legend.down}
        </li>
      )}
      {(view.setups?.operation.length ?? 0) > 0 && (
        <li>
          <span class="swatch setup" aria-hidden="true" /> {legend.setup}
        </li>
      )}
      {kind !== 'resource' && closed !== null && closed.machine.length > 0 && (
        <li>
          <span class="swatch closed" aria-hidden="true" /> {legend.closed}
        </li>
      )}
      {map.gaps.length > 0 && <li>{legend.short}</li>}
      {view.due !== null && <li>{legend.due}</li>}
      {view.violations.length > 0 && (
        <li>
          <span class="swatch crossed" aria-hidden="true" /> {legend.violation}
        </li>
      )}
      {now !== null && <li>{legend.now}</li>}
    </ul>
  );
}
