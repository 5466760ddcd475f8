import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type ChartColours, readColours } from './chart-colours.js';
import { keyAction } from './chart-keys.js';
import { type ChartPointer, followPointers } from './chart-pointer.js';
import { paint } from './paint.js';
import { NAME_FONT } from './paint-text.js';
import type { CanvasOptions, ChartHandle, LiveCanvas, Scene, SceneParts } from './scene.js';
import { clampViewport, reveal, type Viewport, withMap, zoomAround } from './viewport.js';

const AXIS = 28;

/** Canvas pixels per CSS pixel for printing. */
const PRINT_RATIO = 3;

/** Keeps a canvas painted, and handles mouse, touch and keys. */
export function useCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  parts: SceneParts,
  options: CanvasOptions,
): ChartHandle {
  const state = useRef<{ parts: SceneParts; options: CanvasOptions; live: LiveCanvas | null }>({
    parts,
    options,
    live: null,
  });
  state.current.parts = parts;
  state.current.options = options;
  useEffect(() => {
    if (canvas.current === null) return;
    const { live, stop } = openCanvas(canvas.current, state.current);
    state.current.live = live;
    return () => {
      state.current.live = null;
      stop();
    };
  }, []);
  useEffect(() => state.current.live?.change((port) => port));
  return useMemo(
    () => ({
      zoom: (factor, place) => state.current.live?.zoom(factor, place),
      pan: (share) => state.current.live?.pan(share),
      fit: () => state.current.live?.fit(),
      center: (time) => state.current.live?.center(time),
      reveal: (operation) => state.current.live?.reveal(operation),
    }),
    [],
  );
}

interface Source {
  readonly parts: SceneParts;
  readonly options: CanvasOptions;
}

/** Opens a canvas: sizes it, paints it when something changes, and listens. */
function openCanvas(
  element: HTMLCanvasElement,
  source: Source,
): { live: LiveCanvas; stop(): void } {
  let port: Viewport | null = null;
  let colours: ChartColours = readColours(element);
  let frame = 0;
  const scene = (): Scene | null => (port === null ? null : { ...source.parts, port, colours });
  const paintNow = (ratio = devicePixelRatio) => {
    frame = 0;
    // The schedule may have changed its rows or its length in the meantime.
    port = layOut(element, source, port);
    const current = scene();
    if (current !== null) paintScaled(element, current, ratio);
  };
  const change = (wish: (port: Viewport) => Viewport) => {
    if (port !== null) port = wish(port);
    if (frame === 0) frame = requestAnimationFrame(() => paintNow());
  };
  const recolour = () => {
    colours = readColours(element);
    change((same) => same);
  };
  const live = { element, scene, change, options: () => source.options, ...movesOf(change, scene) };
  const listeners = new AbortController();
  const { signal } = listeners;
  addEventListener('themechange', recolour, { signal });
  addEventListener('resize', () => change((same) => same), { signal });
  const print = () => {
    // The page uses light colours by then.
    colours = readColours(element);
    paintNow(PRINT_RATIO);
  };
  addEventListener('beforeprint', print, { signal });
  addEventListener('afterprint', recolour, { signal });
  element.addEventListener('keydown', (event) => keyAction(live, event), { signal });
  const pointer: ChartPointer = followPointers(live, signal);
  const observer = new ResizeObserver(() => change((same) => same));
  observer.observe(element);
  paintNow();
  return {
    live,
    stop() {
      listeners.abort();
      observer.disconnect();
      pointer.stop();
      cancelAnimationFrame(frame);
    },
  };
}

function movesOf(
  change: LiveCanvas['change'],
  scene: () => Scene | null,
): Pick<LiveCanvas, 'zoom' | 'pan' | 'fit' | 'center' | 'reveal'> {
  return {
    zoom: (factor, place) =>
      change((port) => zoomAround(port, factor, place ?? port.from + port.span / 2)),
    pan: (share) => change((port) => ({ ...port, from: port.from + share * port.span })),
    fit: () => change((port) => ({ ...port, from: 0, top: 0, isWhole: true })),
    center: (time) =>
      change((port) => {
        const span = port.isWhole ? port.span / 3 : port.span;
        return { ...port, span, from: port.map.toDrawn(time) - span / 2, isWhole: false };
      }),
    reveal(operation) {
      const current = scene();
      if (current === null || operation < 0) return;
      const { view, chart } = current;
      const [start, end] = [view.start[operation], view.end[operation]];
      const row = chart.rowOf(operation);
      if (start >= 0 && row >= 0) change((port) => reveal(port, start, end, row));
    },
  };
}

/** The latest time of a scene: of both schedules, and of downtimes that begin before their end. */
function lastTimeOf({ view, moves, now }: SceneParts): number {
  return Math.max(1, view.makespan, moves?.makespan ?? 0, now ?? 0);
}

/** The viewport for the size that a canvas has: at first with the initial range, later with the visible one. */
function layOut(
  element: HTMLCanvasElement,
  { parts, options }: Source,
  port: Viewport | null,
): Viewport {
  const width = Math.max(160, element.parentElement?.clientWidth ?? 0);
  const most = Math.max(260, Math.min(innerHeight * 0.66, 900)) - AXIS;
  const count = parts.chart.rows.length;
  const best = options.rowPixels;
  const [least, tallest] = parts.moves === null || parts.isOutlined ? [16, best] : [30, best + 16];
  const fitting = Math.floor(most / count);
  const row = options.isDense
    ? Math.max(1, Math.min(tallest, most / count))
    : Math.min(tallest, Math.max(least, fitting));
  const height = AXIS + Math.ceil(Math.min(most, count * row));
  const size = { width, height, axis: AXIS, gutter: gutterOf(element, parts, width), row };
  const { map } = parts;
  const last = map.toDrawn(lastTimeOf(parts));
  const known = port === null ? firstSight(parts) : withMap(port, map);
  return clampViewport({ ...known, map, ...size }, { last, rows: count });
}

/** The times that are visible at first. */
function firstSight({
  map,
  first,
}: SceneParts): Pick<Viewport, 'from' | 'span' | 'top' | 'isWhole'> {
  if (first === null) return { from: 0, span: 1, top: 0, isWhole: true };
  const [from, to] = first.map(map.toDrawn);
  // Operations that have just begun are visible too.
  const room = (to - from) / 20;
  return { from: from - room, span: to - from + room, top: 0, isWhole: false };
}

/** Width of the names of rows; names of a shop are measured, within limits. */
function gutterOf(element: HTMLCanvasElement, { view, chart }: SceneParts, width: number): number {
  const isNarrow = width < 560;
  const names = {
    machine: view.names?.machines,
    job: view.names?.jobs,
    resource: chart.rows.map(({ name }) => name),
  }[chart.kind];
  const context = element.getContext('2d');
  if (names == null || context === null) return isNarrow ? 40 : 92;
  context.font = NAME_FONT;
  const longest = Math.max(...names.map((name) => context.measureText(name).width));
  return Math.ceil(Math.min(Math.max(longest + 16, 40), isNarrow ? 90 : 180));
}

function paintScaled(element: HTMLCanvasElement, scene: Scene, ratio: number): void {
  const { width, height } = scene.port;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (element.width !== across) element.width = across;
  if (element.height !== down) element.height = down;
  element.style.aspectRatio = `${width} / ${height}`;
  const context = element.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(context, scene);
}
