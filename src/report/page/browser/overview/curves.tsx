import { line, plot, ruleY } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { counted, formatSeconds } from '../../../format.js';
import type { PageData } from '../../views/page-data.js';
import { Chart } from '../parts/chart.js';
import { decimals } from '../parts/numbers.js';
import { Legend, looksOf, type SeriesLook } from '../parts/series.js';
import { namer, plannerRows } from './planner-rows.js';

interface Props {
  readonly data: PageData;
  readonly suite: string | null;
}

/** A line of a chart: its name and its points. */
interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Minimum drawn time in seconds, because the axis is logarithmic. */
const FIRST = 0.001;

/** The mean gap of each planner over time. */
export function GapCurves({ data, suite }: Props) {
  const rows = plannerRows(data, suite).filter(({ anytime }) => anytime !== null);
  const horizon = data.evaluation?.anytime.horizon_seconds ?? 0;
  const series = rows.map(({ name, anytime }) => ({
    name,
    points: [
      ...(anytime?.curve ?? []).map(
        ({ seconds, gap_percent }) => [Math.max(FIRST, seconds), gap_percent] as const,
      ),
      [Math.max(FIRST, horizon), anytime?.final_gap_percent ?? 100] as const,
    ],
  }));
  const looks = useLooks(data);
  const draw = useCallback(
    (width: number) =>
      drawSteps(series, looks, width, {
        x: { type: 'log', label: 'time (logarithmic)', tickFormat: formatSeconds },
        y: { label: 'mean primal gap, %', domain: [0, 100] },
      }),
    [data, suite],
  );
  if (series.length === 0 || horizon === 0) return null;
  return (
    <section>
      <h3>Gap over time</h3>
      <p class="quiet">
        How far a planner is from the best known schedules after so much time, on average:
        100&nbsp;% until it has a feasible schedule, and as it ended once it is done. Further left
        and further down is better.
      </p>
      <Legend looks={pick(looks, series)} />
      <Chart label="Mean primal gap of each planner over time" draw={draw} />
    </section>
  );
}

/** Ratios beyond this are not drawn. */
const MOST_RATIO = 2;

/** Performance profiles of all planners. */
export function Profiles({ data }: { data: PageData }) {
  const profile = data.evaluation?.profiles.find(({ measure }) => measure === 'value');
  const nameOf = namer(data);
  const series = (profile?.planners ?? []).map((planner) => ({
    name: nameOf(planner),
    points: [
      ...planner.points.map(({ ratio, percent }) => [ratio, percent] as const),
      [Number.MAX_VALUE, planner.solved_percent] as const,
    ],
  }));
  const ratios = series.flatMap(({ points }) => points.slice(0, -1).map(([ratio]) => ratio));
  const end = Math.min(MOST_RATIO, Math.max(1.01, ...ratios) + 0.01);
  const looks = useLooks(data);
  const draw = useCallback(
    (width: number) =>
      drawSteps(cutAt(series, end), looks, width, {
        x: { label: 'makespan / best of these planners', domain: [1, end] },
        y: { label: 'instances, %', domain: [0, 100] },
      }),
    [data],
  );
  if (series.length < 2 || profile === undefined) return null;
  return (
    <section>
      <h3>Performance profile</h3>
      <p class="quiet">
        On how many of {counted(profile.instances, 'instance')} (all suites) a planner is at most so
        many times as long as the best of the planners here (Dolan and Moré 2002). On the left edge
        stands how often it is the best itself; further up is better.
        {profile.instances_left_out > 0 &&
          ` ${counted(profile.instances_left_out, 'instance')} are left out, as not all planners have them.`}
      </p>
      <Legend looks={pick(looks, series)} />
      <Chart label="Performance profile of each planner" draw={draw} />
    </section>
  );
}

/** The points of each line up to an end, plus its value at the end. */
function cutAt(series: readonly Series[], end: number): Series[] {
  return series.map(({ name, points }) => {
    const kept = points.filter(([x]) => x <= end);
    const last = kept.at(-1)?.[1];
    return { name, points: last === undefined ? kept : [...kept, [end, last] as const] };
  });
}

function useLooks(data: PageData): ReadonlyMap<string, SeriesLook> {
  const nameOf = namer(data);
  return looksOf([...new Set(data.summary?.overall.map(nameOf))]);
}

/** The looks of the series of a chart. */
function pick(looks: ReadonlyMap<string, SeriesLook>, series: readonly Series[]) {
  const names = new Set(series.map(({ name }) => name));
  return new Map([...looks].filter(([name]) => names.has(name)));
}

function drawSteps(
  series: readonly Series[],
  looks: ReadonlyMap<string, SeriesLook>,
  width: number,
  { x, y }: { x: object; y: object },
): Element {
  return plot({
    className: 'plot',
    width,
    height: Math.max(220, Math.min(380, width * 0.5)),
    marginLeft: 44,
    marginRight: 24,
    marginBottom: 42,
    x: { grid: true, ticks: width / 120, labelOffset: 38, ...x },
    y: { grid: true, ...y },
    marks: [
      ruleY([0], { stroke: 'currentColor' }),
      ...series.map(({ name, points }) =>
        line(points, {
          x: '0',
          y: '1',
          curve: 'step-after',
          stroke: looks.get(name)?.stroke ?? 'currentColor',
          strokeDasharray: looks.get(name)?.dash ?? '',
          strokeWidth: 2,
          title: () => `${name}: ends at ${decimals(points.at(-1)?.[1] ?? null, 2)} %`,
        }),
      ),
    ],
  });
}
