import type { SequenceFlow } from './diagram.js';
import type { Box, Grid, GridCell, Point } from './geometry.js';

const GAP = 46;
const TRACK = 12;
const EVENT = 36;

/** A grid with coordinates: x along the flow, y across it. */
interface Routed {
  readonly boxes: Map<string, Box>;
  readonly lines: Map<string, Point[]>;
  readonly along: number;
  readonly across: number;
}

/**
 * The bends of a flow: the lane in which it passes layers, and the tracks on which it changes
 * lanes.
 */
interface Route {
  readonly flow: SequenceFlow;
  readonly from: GridCell;
  readonly to: GridCell;
  readonly lane: number;
}

/** Gives shapes coordinates and flows their corners: no flow passes through a shape. */
export function routeFlows(grid: Grid): Routed {
  const { scope, cells, hosts } = grid;
  const cellOf = (id: string) => cells.get(hosts.get(id) ?? id) as GridCell;
  const busy = new Map<string, string>();
  for (const [id, { layer, lane }] of cells) busy.set(`${layer}:${lane}`, id);
  const lanes = new Set([...cells.values()].map(({ lane }) => lane));
  const routes: Route[] = scope.flows.map((flow) => {
    const from = cellOf(flow.from);
    const to = cellOf(flow.to);
    const lane = passingLane(busy, from, to, flow);
    lanes.add(lane);
    return { flow, from, to, lane };
  });
  const tracks = tracksOf(routes);
  const axes = axesOf(grid, lanes, tracks);
  const boxes = boxesOf(grid, axes);
  const lines = new Map<string, Point[]>();
  const borders = new Map<string, number>();
  for (const route of routes) {
    const fromBorder = hosts.has(route.flow.from);
    const points = fromBorder
      ? borderLine(route, boxes, axes, borders, tracks)
      : lineOf(route, boxes, axes, tracks);
    lines.set(route.flow.id, straighten(points));
  }
  for (const { id, from, to } of scope.ties) {
    const event = boxes.get(from) as Box;
    const handler = boxes.get(to) as Box;
    const x = event.x + event.width / 2;
    lines.set(id, [
      { x, y: event.y + event.height },
      { x, y: handler.y },
    ]);
  }
  return { boxes, lines, along: axes.along, across: axes.across };
}

/** The lane in which a flow passes the layers between its ends: one that is free there. */
function passingLane(
  busy: Map<string, string>,
  from: GridCell,
  to: GridCell,
  flow: SequenceFlow,
): number {
  const [first, last] = flow.back ? [to.layer, from.layer] : [from.layer + 1, to.layer - 1];
  if (!flow.back && last < first) return to.lane;
  if (flow.back && from.lane !== to.lane && from.lane < to.lane) return from.lane;
  const isFree = (lane: number) => {
    for (let layer = first; layer <= last; layer++) {
      const other = busy.get(`${layer}:${lane}`);
      if (other !== undefined && other !== `>${flow.to}`) return false;
    }
    return true;
  };
  const tries = flow.back ? [] : [to.lane, from.lane];
  for (let k = 1; k < 200; k++)
    tries.push(...(flow.back ? [to.lane - k] : [to.lane + k, to.lane - k]));
  const lane = tries.find(isFree) ?? to.lane;
  for (let layer = first; layer <= last; layer++) busy.set(`${layer}:${lane}`, `>${flow.to}`);
  return lane;
}

/** Tracks in the gaps behind layers: flows from one shape, or to one shape, share theirs. */
function tracksOf(routes: readonly Route[]) {
  const gaps = new Map<number, string[]>();
  const add = (gap: number, key: string) => {
    const keys = gaps.get(gap) ?? [];
    if (!keys.includes(key)) keys.push(key);
    gaps.set(gap, keys);
  };
  for (const { flow, from, to, lane } of routes) {
    if (flow.back || from.layer === to.layer) continue;
    if (lane !== from.lane) add(from.layer, `s:${flow.from}`);
    if (lane !== to.lane) add(to.layer - 1, `t:${flow.to}`);
  }
  return {
    count: (gap: number) => gaps.get(gap)?.length ?? 0,
    placeOf: (gap: number, key: string) => Math.max(0, gaps.get(gap)?.indexOf(key) ?? 0),
  };
}

type Tracks = ReturnType<typeof tracksOf>;

interface Axes {
  readonly along: number;
  readonly across: number;
  /** The middle of a layer, and its start and end. */
  readonly layers: ReadonlyMap<number, { readonly start: number; readonly size: number }>;
  readonly lanes: ReadonlyMap<number, { readonly start: number; readonly size: number }>;
}

function axesOf(
  { cells, sizes, hosts, scope }: Grid,
  used: ReadonlySet<number>,
  tracks: Tracks,
): Axes {
  const layers = new Map<number, { start: number; size: number }>();
  const lanes = new Map<number, { start: number; size: number }>();
  const along = new Map<number, number>();
  const across = new Map<number, number>([...used].map((lane) => [lane, 10]));
  for (const [id, { layer, lane }] of cells) {
    const size = sizes.get(id) ?? { along: 0, across: 0 };
    along.set(layer, Math.max(along.get(layer) ?? 0, size.along));
    across.set(lane, Math.max(across.get(lane) ?? 0, size.across));
  }
  const withBorders = new Set(
    scope.shapes.flatMap(({ id }) => {
      const host = hosts.get(id);
      return host === undefined ? [] : [cells.get(host)?.lane ?? 0];
    }),
  );
  let x = 0;
  for (const layer of [...along.keys()].sort((a, b) => a - b)) {
    const size = along.get(layer) ?? 0;
    layers.set(layer, { start: x, size });
    x += size + GAP + TRACK * tracks.count(layer);
  }
  let y = 0;
  for (const lane of [...across.keys()].sort((a, b) => a - b)) {
    const size = across.get(lane) ?? 0;
    lanes.set(lane, { start: y, size });
    y += size + (withBorders.has(lane) ? GAP + 18 : GAP - 8);
  }
  const lastLayer = Math.max(...along.keys());
  const end = (layers.get(lastLayer)?.start ?? 0) + (along.get(lastLayer) ?? 0);
  return { along: end, across: y - GAP + 8, layers, lanes };
}

const middle = (axis: { start: number; size: number } | undefined) =>
  (axis?.start ?? 0) + (axis?.size ?? 0) / 2;

function boxesOf({ scope, cells, sizes, hosts }: Grid, { layers, lanes }: Axes): Map<string, Box> {
  const boxes = new Map<string, Box>();
  for (const [id, { layer, lane }] of cells) {
    const { along, across } = sizes.get(id) as { along: number; across: number };
    const x = middle(layers.get(layer)) - along / 2;
    const y = middle(lanes.get(lane)) - across / 2;
    boxes.set(id, { x, y, width: along, height: across });
  }
  const counts = new Map<string, number>();
  for (const { id } of scope.shapes) {
    const host = hosts.get(id);
    if (host === undefined) continue;
    const box = boxes.get(host) as Box;
    const place = counts.get(host) ?? 0;
    counts.set(host, place + 1);
    const x = box.x + box.width - 22 - place * (EVENT + 12) - EVENT / 2;
    boxes.set(id, { x, y: box.y + box.height - EVENT / 2, width: EVENT, height: EVENT });
  }
  return boxes;
}

const centre = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** The position of a track in the gap behind a layer. */
function trackAt({ layers }: Axes, tracks: Tracks, gap: number, key: string): number {
  const { start, size } = layers.get(gap) ?? { start: 0, size: 0 };
  return start + size + GAP / 2 + TRACK * tracks.placeOf(gap, key);
}

function lineOf(
  { flow, from, to, lane }: Route,
  boxes: Map<string, Box>,
  axes: Axes,
  tracks: Tracks,
): Point[] {
  const source = boxes.get(flow.from) as Box;
  const target = boxes.get(flow.to) as Box;
  const a = centre(source);
  const b = centre(target);
  if (from.layer === to.layer) {
    const up = b.y < a.y;
    return [
      { x: a.x, y: up ? source.y : source.y + source.height },
      { x: a.x, y: up ? target.y + target.height : target.y },
    ];
  }
  const y = middle(axes.lanes.get(lane));
  if (flow.back) {
    const leave = lane === from.lane ? { x: source.x, y: a.y } : { x: a.x, y: source.y };
    return [leave, { x: leave.x, y }, { x: b.x, y }, { x: b.x, y: target.y }];
  }
  const out = trackAt(axes, tracks, from.layer, `s:${flow.from}`);
  const into = trackAt(axes, tracks, to.layer - 1, `t:${flow.to}`);
  return [
    { x: source.x + source.width, y: a.y },
    ...(lane === from.lane
      ? []
      : [
          { x: out, y: a.y },
          { x: out, y },
        ]),
    ...(lane === to.lane
      ? []
      : [
          { x: into, y },
          { x: into, y: b.y },
        ]),
    { x: target.x, y: b.y },
  ];
}

/** A flow from an event on a border: below its host, then up into its target or on along a lane. */
function borderLine(
  { flow, to }: Route,
  boxes: Map<string, Box>,
  axes: Axes,
  borders: Map<string, number>,
  tracks: Tracks,
): Point[] {
  const event = boxes.get(flow.from) as Box;
  const target = boxes.get(flow.to) as Box;
  const { x } = centre(event);
  const place = borders.get(flow.to) ?? 0;
  borders.set(flow.to, place + 1);
  const low = event.y + event.height + 10 + 8 * place;
  const b = centre(target);
  void axes;
  void tracks;
  void to;
  return [
    { x, y: event.y + event.height },
    { x, y: low },
    { x: b.x, y: low },
    { x: b.x, y: target.y + target.height },
  ];
}

/** Removes redundant points. */
function straighten(points: readonly Point[]): Point[] {
  const distinct = points.filter((point, k) => {
    return k === 0 || point.x !== points[k - 1].x || point.y !== points[k - 1].y;
  });
  return distinct.filter((point, k) => {
    const before = distinct[k - 1];
    const after = distinct[k + 1];
    if (before === undefined || after === undefined) return true;
    const onX = before.x === point.x && point.x === after.x;
    const onY = before.y === point.y && point.y === after.y;
    return !(onX || onY);
  });
}
