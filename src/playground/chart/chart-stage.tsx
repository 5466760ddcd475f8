import { useMemo } from 'preact/hooks';
import { GanttChart } from '../../report/page/browser/gantt/gantt-chart.js';
import type { ChartPlace } from '../../report/page/browser/gantt/scene.js';
import { CheckBox } from '../../report/page/browser/parts/check-box.js';
import type { DowntimeColumns, ScheduleView } from '../../report/page/views/schedule-data.js';
import type { ShopVerdict } from '../model/judge-shop.js';
import type { PlayState } from '../model/play-state.js';
import type { BreakdownWish } from '../model/suggest-event.js';
import { useAnimatedView } from './use-animated-view.js';
import { type DroppedOperation, useOrderDrag } from './use-order-drag.js';

interface Props {
  readonly state: PlayState;
  readonly verdict: ShopVerdict;
  /** Downtimes before all events. */
  readonly planned: DowntimeColumns;
  /** A breakdown that the reader is about to report; null for none. */
  readonly wish: BreakdownWish | null;
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
  readonly onPlace: (place: ChartPlace) => void;
  readonly onDrop: (dropped: DroppedOperation) => void;
  readonly showsMoves: boolean;
  readonly setShowsMoves: (shows: boolean) => void;
}

/** The Gantt chart of the shop. */
export function ChartStage({ state, verdict, planned, wish, selected, onSelect, ...props }: Props) {
  const { showsMoves, setShowsMoves, onPlace, onDrop } = props;
  const { moves } = state.step;
  const hasMoves = moves !== null && moves.moved.length > 0;
  const shown = hasMoves && showsMoves ? moves : null;
  const animated = useAnimatedView(verdict.view, moves);
  const view = useMemo(() => withWish(animated, wish, shown !== null), [animated, wish, shown]);
  const drag = useOrderDrag(verdict.schedule, onDrop);
  const { machines } = view;
  return (
    <GanttChart
      view={view}
      moves={shown}
      isOutlined
      now={state.now}
      closed={planned}
      label={`Plan of ${view.instance}`}
      selected={selected < view.machine.length ? selected : -1}
      onSelect={onSelect}
      onPlace={onPlace}
      drag={drag}
      rowPixels={Math.round(Math.min(44, Math.max(30, 380 / machines)))}
    >
      {hasMoves && (
        <CheckBox checked={showsMoves} onChange={setShowsMoves}>
          what moved
        </CheckBox>
      )}
    </GanttChart>
  );
}

/** The view with a breakdown that is not reported yet. If moves are shown, the critical path would hide them. */
function withWish(view: ScheduleView, wish: BreakdownWish | null, hasMoves: boolean): ScheduleView {
  const plain = hasMoves ? { ...view, critical: [] } : view;
  if (wish === null || !(wish.length > 0)) return plain;
  const { machine, from, to, resumable } = view.downtimes;
  return {
    ...plain,
    downtimes: {
      machine: [...machine, wish.machine],
      from: [...from, wish.from],
      to: [...to, wish.from + wish.length],
      resumable: [...resumable, true],
    },
  };
}
