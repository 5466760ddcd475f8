import type { ScheduleChart } from '../../../chart/schedule-chart.js';
import type { DowntimeColumns, MovesView, ScheduleView } from '../../views/schedule-data.js';
import type { ChartColours } from './chart-colours.js';
import type { ChartDrag, HeldOperation } from './chart-drag.js';
import type { TimeMap, TimeStretch } from './time-map.js';
import type { ViewWords } from './view-words.js';
import { rowToY, type Viewport } from './viewport.js';

/** The input of painting a chart. */
export interface Scene {
  readonly view: ScheduleView;
  readonly words: ViewWords;
  readonly chart: ScheduleChart;
  readonly port: Viewport;
  readonly colours: ChartColours;
  /** Moves since the previous schedule, with old and new places above each other; null for a single schedule. */
  readonly moves: MovesView | null;
  /** Whether earlier places are outlines among the current bars, instead of a lane above them. */
  readonly isOutlined: boolean;
  /** Planned downtimes, such as nights; null if all are drawn alike. */
  readonly closed: DowntimeColumns | null;
  /** Breakdowns, which are drawn as such even within planned downtimes. */
  readonly broken: DowntimeColumns | null;
  /** The mapping of times to the axis. */
  readonly map: TimeMap;
  readonly showsCritical: boolean;
  /** Current time of the execution; null without one. */
  readonly now: number | null;
  readonly selected: number;
  readonly hovered: number;
  /** The operation that is dragged; null for none. */
  readonly held: HeldOperation | null;
}

/** The lanes of a row: with moves, earlier places are above and current ones below, unless they are outlines. */
export interface Lane {
  readonly y: number;
  readonly height: number;
}

/** The lane of current operations, or of their earlier places. */
export function laneOf({ port, moves, isOutlined }: Scene, row: number, isBefore = false): Lane {
  const y = rowToY(port, row);
  const pad = port.row > 8 ? 2 : 0;
  if (moves === null || isOutlined) return { y: y + pad, height: Math.max(1, port.row - 2 * pad) };
  const height = Math.max(1, port.row * 0.38);
  return { y: isBefore ? y + pad : y + port.row - height - pad, height };
}

/** Parts of a scene that the page provides; the canvas adds its size and colours. */
export type SceneParts = Omit<Scene, 'port' | 'colours'> & {
  /** The times that are visible at first; null for all. */
  readonly first: TimeStretch | null;
};

/** A time on a machine; without a time, the machine itself: a click on its name. */
export interface ChartPlace {
  readonly machine: number;
  readonly time: number | null;
}

/** Display options of a chart, and its listeners. */
export interface CanvasOptions {
  /** Whether all rows are visible, however low they become. */
  readonly isDense: boolean;
  /** The best height of a row, in pixels. */
  readonly rowPixels: number;
  readonly onSelect: (operation: number) => void;
  readonly onHover: (operation: number) => void;
  /** Enables dragging of operations; null if it is disabled. */
  readonly drag: ChartDrag | null;
  readonly onHold: (held: HeldOperation | null) => void;
  /** Called with the place of a click in a row of a machine; null if nothing listens. */
  readonly onPlace: ((place: ChartPlace) => void) | null;
}

/** The ways in which the page moves a chart. */
export interface ChartHandle {
  /** Zooms around a place, in drawn units of time; default: the middle. */
  zoom(factor: number, place?: number): void;
  pan(share: number): void;
  fit(): void;
  /** Centers a time, and zooms in if the whole schedule was visible. */
  center(time: number): void;
  /** Scrolls to an operation; −1 does nothing. */
  reveal(operation: number): void;
}

/** A canvas that is repainted at the next frame after each change. */
export interface LiveCanvas extends ChartHandle {
  readonly element: HTMLCanvasElement;
  scene(): Scene | null;
  change(wish: (port: Viewport) => Viewport): void;
  options(): CanvasOptions;
}
