import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { resourceChart } from '../../../chart/resource-chart.js';
import { type RowKind, scheduleChart } from '../../../chart/schedule-chart.js';
import type { DowntimeColumns, MovesView, ScheduleView } from '../../views/schedule-data.js';
import { CheckBox } from '../parts/check-box.js';
import type { ChartDrag, HeldOperation } from './chart-drag.js';
import { ChartLegend } from './chart-legend.js';
import { CHART_TEXTS, type ChartTexts } from './chart-texts.js';
import { ChartTools } from './chart-tools.js';
import { describeOperationAt } from './operation-text.js';
import type { ChartPlace } from './scene.js';
import {
  afterOpenTime,
  commonStretches,
  compressTime,
  STRAIGHT_TIME,
  type TimeMap,
  type TimeStretch,
} from './time-map.js';
import { useCanvas } from './use-canvas.js';
import { type ViewWords, wordsOfView } from './view-words.js';

/** The drawn length, in seconds, of a time in which all machines are closed. */
const SHORT_SECONDS = 1800;

interface Props {
  readonly view: ScheduleView;
  /** Moves since the previous schedule; old and new places are drawn above each other. */
  readonly moves?: MovesView | null | undefined;
  /** Draws earlier places as outlines among the current bars; default: above them. */
  readonly isOutlined?: boolean | undefined;
  /** The time of an execution. */
  readonly now?: number | null | undefined;
  /** The selected operation; −1 for none. */
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
  /** Accessible name of the chart. */
  readonly label: string;
  /** Default: English. */
  readonly texts?: ChartTexts | undefined;
  /**
   * Planned downtimes, which are drawn differently from breakdowns; default: all are drawn alike. Time in which all
   * machines are closed is compressed unless the reader turns that off.
   */
  readonly closed?: DowntimeColumns | undefined;
  /** Breakdowns, which are drawn as such even within planned downtimes. */
  readonly broken?: DowntimeColumns | undefined;
  /**
   * Working hours after the current time that are visible at first, in a shop with a clock; default: the whole
   * schedule.
   */
  readonly firstHours?: number | undefined;
  /** Allows dragging operations along their machines; default: dragging is disabled. */
  readonly drag?: ChartDrag | null | undefined;
  /** Called with the place of a click in a row of a machine. */
  readonly onPlace?: ((place: ChartPlace) => void) | undefined;
  /** The best height of a row, in pixels; default 30. */
  readonly rowPixels?: number | undefined;
  /** Further tools. */
  readonly children?: ComponentChildren;
}

/** The chart with the rows that the reader chooses: machines at first. */
function useRows(view: ScheduleView, words: ViewWords) {
  const [wanted, setKind] = useState<RowKind>('machine');
  const { resources } = view;
  const kind = wanted === 'resource' && resources === null ? 'machine' : wanted;
  const chart = useMemo(
    () =>
      kind === 'resource' && resources !== null
        ? resourceChart(view, resources, words)
        : scheduleChart(view, kind === 'job' ? 'job' : 'machine', words),
    [view, kind, words],
  );
  return { chart, kind, setKind };
}

/** The mapping of times to the axis: closed time is compressed unless the reader turns that off. */
function useTimeMap(
  { timeScale, machines, makespan }: ScheduleView,
  closed: DowntimeColumns | null,
) {
  const [isStraight, setStraight] = useState(false);
  const shortMap = useMemo(() => {
    if (closed === null) return STRAIGHT_TIME;
    const short = timeScale === null ? makespan / 100 : SHORT_SECONDS / timeScale.unit;
    return compressTime(commonStretches(closed, machines), short);
  }, [closed, machines, timeScale?.unit]);
  return { map: isStraight ? STRAIGHT_TIME : shortMap, shortMap, isStraight, setStraight };
}

/** The time that is visible at first; null for all of it. */
function firstStretch(
  { timeScale }: ScheduleView,
  now: number | null,
  hours: number | undefined,
  map: TimeMap,
): TimeStretch | null {
  if (hours === undefined || now === null || timeScale === null) return null;
  return [now, afterOpenTime(map, now, (hours * 3600) / timeScale.unit)];
}

/**
 * A Gantt chart on a canvas. It is zoomed by wheel, keys, touch and buttons, moved by dragging, and explored by mouse
 * and keyboard. Everything that it shows under the pointer is also announced by a live region.
 */
export function GanttChart({ view, moves = null, now = null, ...props }: Props) {
  const { selected, onSelect, label, texts = CHART_TEXTS, closed = null, broken = null } = props;
  const { isOutlined = false, rowPixels = 30, onPlace = null } = props;
  const [showsCritical, setShowsCritical] = useState(moves === null);
  const [hovered, setHovered] = useState(-1);
  const [held, setHeld] = useState<HeldOperation | null>(null);
  const [isDense, setDense] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useMemo(() => wordsOfView(view, texts), [view, texts]);
  const { chart, kind, setKind } = useRows(view, words);
  const { map, shortMap, isStraight, setStraight } = useTimeMap(view, closed);
  const first = firstStretch(view, now, props.firstHours, shortMap);
  // What used an operator before is unknown.
  const shownMoves = kind === 'resource' ? null : moves;
  const drawn = { view, words, chart, moves: shownMoves, closed, broken, map, first, now };
  const parts = { ...drawn, isOutlined, showsCritical, selected, hovered, held };
  // In other rows, dragging along a machine has no meaning, so it is disabled.
  const drag = kind === 'machine' ? (props.drag ?? null) : null;
  const handle = useCanvas(canvas, parts, {
    isDense,
    rowPixels,
    onSelect,
    onPlace,
    onHover: setHovered,
    drag,
    onHold: setHeld,
  });
  useEffect(() => {
    handle.reveal(selected);
    // If it was selected in a list further down, the chart may be out of view.
    const isElsewhere = document.activeElement !== canvas.current;
    if (selected >= 0 && isElsewhere) canvas.current?.scrollIntoView({ block: 'nearest' });
  }, [selected, view]);
  useEffect(() => setHeld(null), [view, drag === null]);
  const shown = hovered >= 0 ? hovered : selected;
  const canMove = held === null && shown >= 0 && drag?.canMove(shown) === true;
  return (
    <figure class="gantt">
      <ChartTools
        handle={handle}
        kind={kind}
        setKind={setKind}
        showsCritical={showsCritical}
        setShowsCritical={setShowsCritical}
        isDense={isDense}
        setDense={setDense}
        now={now}
        texts={texts}
        hasCritical={view.critical.length > 0}
        hasResources={view.resources !== null}
      >
        {shortMap.gaps.length > 0 && (
          <CheckBox checked={!isStraight} onChange={(isShort) => setStraight(!isShort)}>
            {texts.tools.short}
          </CheckBox>
        )}
        {props.children}
      </ChartTools>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys move through the chart */}
      <canvas ref={canvas} tabIndex={0} role="application" aria-label={texts.canvas(label)} />
      <p class="gantt-text" aria-live="polite">
        {held?.text ??
          describeOperationAt({ view, words, moves }, shown) ??
          texts.hint(view.machine.length, view.missing, kind === 'job' ? 'machine' : 'job')}
        {canMove && ` · ${texts.drag}`}
      </p>
      <ChartLegend
        view={view}
        kind={kind}
        moves={shownMoves}
        isOutlined={isOutlined}
        showsCritical={showsCritical}
        now={now}
        texts={texts}
        closed={closed}
        map={map}
      />
    </figure>
  );
}
