import { useMemo, useState } from 'preact/hooks';
import { formatSeconds } from '../../../format.js';
import type { LogDetail, LogSpan, LogTone } from '../../views/page-data.js';
import { TONES } from './tones.js';

interface Props {
  readonly detail: LogDetail;
  /** Node whose entries are shown; empty for all. */
  readonly node: string;
  readonly choose: (node: string) => void;
}

/** Lanes that are drawn at first. */
const MOST_LANES = 60;

/** An instant of a run as a share of the width, in percent. */
type PercentScale = (at: number) => number;

/** The nodes of a run, a lane each, with their attempts, waits and undoing over time. */
export function Timeline({ detail, node, choose }: Props) {
  const { spans } = detail;
  const [isEven, setEven] = useState(() => isSkewed(detail));
  const [isWhole, setWhole] = useState(false);
  const lanes = useMemo(() => lanesOf(spans), [spans]);
  const scale = useMemo(() => scaleOf(detail, isEven), [detail, isEven]);
  if (lanes.length === 0) return <p class="empty">No node of this run has begun.</p>;
  const shown = isWhole ? lanes : lanes.slice(0, MOST_LANES);
  return (
    <section>
      <h3>Timeline</h3>
      <div class="toolbar">
        <label>
          <input type="checkbox" checked={isEven} onChange={() => setEven(!isEven)} /> same width
          for every moment, however long it took
        </label>
      </div>
      <ul class="legend">
        {(Object.keys(TONES) as LogTone[]).map((tone) => (
          <li key={tone}>
            <span class={`tone ${tone}`} aria-hidden="true">
              {TONES[tone].sign}
            </span>
            {TONES[tone].words}
          </li>
        ))}
      </ul>
      <div class="lanes">
        {shown.map(([path, some]) => (
          <NodeLane
            key={path}
            path={path}
            spans={some}
            scale={scale}
            end={detail.seconds}
            isChosen={path === node}
            choose={choose}
          />
        ))}
        <div class="lane-ends" aria-hidden="true">
          <span>0</span>
          <span>{formatSeconds(detail.seconds)}</span>
        </div>
      </div>
      {shown.length < lanes.length && (
        <button type="button" onClick={() => setWhole(true)}>
          show all {lanes.length} nodes
        </button>
      )}
    </section>
  );
}

interface LaneProps {
  readonly path: string;
  readonly spans: readonly LogSpan[];
  readonly scale: PercentScale;
  readonly end: number;
  readonly isChosen: boolean;
  readonly choose: (node: string) => void;
}

function NodeLane({ path, spans, scale, end, isChosen, choose }: LaneProps) {
  return (
    <div class={isChosen ? 'lane chosen' : 'lane'}>
      <button
        type="button"
        class="lane-name"
        title={`${path}: show only its entries`}
        aria-pressed={isChosen}
        onClick={() => choose(isChosen ? '' : path)}
      >
        {path}
      </button>
      <div class="lane-bars">
        {spans.map((span) => {
          const left = scale(span.from);
          const width = scale(span.to ?? end) - left;
          const words = `${span.words} (${timesOf(span)})${span.who === null ? '' : `, ${span.who}`}`;
          return (
            <span
              key={`${span.from} ${span.words}`}
              class={`bar ${span.tone}`}
              style={{ left: `${left}%`, width: `${width}%` }}
              title={`${path}: ${words}`}
              role="img"
              aria-label={words}
            >
              {TONES[span.tone].sign}
            </span>
          );
        })}
      </div>
    </div>
  );
}

function timesOf({ from, to }: LogSpan): string {
  return to === null
    ? `from ${formatSeconds(from)} on`
    : `${formatSeconds(from)} to ${formatSeconds(to)}`;
}

/** Spans by node, in the order in which nodes begin. */
function lanesOf(spans: readonly LogSpan[]): [string, LogSpan[]][] {
  const lanes = new Map<string, LogSpan[]>();
  for (const span of spans) {
    const lane = lanes.get(span.node);
    if (lane === undefined) lanes.set(span.node, [span]);
    else lane.push(span);
  }
  return [...lanes];
}

function scaleOf({ entries, seconds: end }: LogDetail, isEven: boolean): PercentScale {
  if (!isEven) return (at) => (end === 0 ? 0 : (100 * at) / end);
  const moments = [...new Set(entries.map(({ at }) => at))].sort((a, b) => a - b);
  const rank = new Map(moments.map((at, index) => [at, index]));
  const last = Math.max(1, moments.length - 1);
  return (at) => (100 * (rank.get(at) ?? last)) / last;
}

/** Whether half of the entries would be drawn in a hundredth of the width. */
function isSkewed({ entries, seconds: end }: LogDetail): boolean {
  const gaps = entries.slice(1).map(({ at }, index) => at - entries[index].at);
  const middle = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return end > 0 && middle * 100 < end;
}
