import { barX, plot, text } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Chart } from '../parts/chart.js';
import { OUTCOMES, type PlanEnd, type PlannerFailure } from './failure-words.js';

interface Props {
  readonly planners: readonly PlannerFailure[];
  readonly nameOf: (planner: PlannerFailure) => string;
}

const ENDS = Object.keys(OUTCOMES) as PlanEnd[];

/** The outcomes of each planner's plans before any repair, in percent of its plans. */
export function OutcomeBars({ planners, nameOf }: Props) {
  const seen = ENDS.filter((end) => planners.some(({ outcomes }) => outcomes[end] > 0));
  const draw = useCallback((width: number) => drawBars(planners, nameOf, width), [planners]);
  const words = planners.map((planner) => `${nameOf(planner)}: ${sharesOf(planner)}`).join('. ');
  return (
    <>
      <ul class="legend">
        {seen.map((end) => (
          <li key={end} title={OUTCOMES[end].about}>
            <svg width="14" height="14" aria-hidden="true">
              <rect width="14" height="14" rx="2" fill={OUTCOMES[end].fill} />
            </svg>
            {OUTCOMES[end].name}
          </li>
        ))}
      </ul>
      <Chart label={`Outcomes of plans. ${words}`} draw={draw} />
    </>
  );
}

function sharesOf({ outcomes, answers }: PlannerFailure): string {
  return ENDS.filter((end) => outcomes[end] > 0)
    .map((end) => `${OUTCOMES[end].name} ${outcomes[end]} of ${answers}`)
    .join(', ');
}

/** Height of the bar of a planner, with the name above it: names may be long. */
const LANE = 48;

function drawBars(
  planners: readonly PlannerFailure[],
  nameOf: (planner: PlannerFailure) => string,
  width: number,
): Element {
  const lanes = planners.map((planner, lane) => ({ planner, lane, name: nameOf(planner) }));
  const parts = lanes.flatMap(({ planner, lane, name }) => {
    let from = 0;
    return ENDS.filter((end) => planner.outcomes[end] > 0).map((end) => {
      const share = (100 * planner.outcomes[end]) / planner.answers;
      from += share;
      return { lane, name, end, from: from - share, to: from, share, count: planner.outcomes[end] };
    });
  });
  const letters = Math.floor((width - 60) / 7);
  return plot({
    className: 'plot',
    width,
    height: 50 + LANE * lanes.length,
    marginLeft: 8,
    marginRight: 20,
    marginBottom: 40,
    x: { domain: [0, 100], label: 'plans, %', labelOffset: 36, ticks: width < 500 ? 5 : 10 },
    y: { type: 'band', axis: null, domain: lanes.map(({ lane }) => lane), paddingInner: 0 },
    marks: [
      barX(parts, {
        x1: 'from',
        x2: 'to',
        y: 'lane',
        insetTop: 22,
        insetBottom: 3,
        insetRight: 1,
        fill: (part) => OUTCOMES[part.end as PlanEnd].fill,
        title: (part) =>
          `${part.name}: ${OUTCOMES[part.end as PlanEnd].name}, ${part.count} plans (${part.share.toFixed(1)} %)`,
      }),
      text(
        parts.filter(({ share }) => (share * width) / 100 > 26),
        {
          x: ({ from, to }) => (from + to) / 2,
          y: 'lane',
          dy: 10,
          text: 'count',
          fill: 'var(--tone-ink)',
          fontWeight: 600,
        },
      ),
      text(lanes, {
        x: 0,
        y: 'lane',
        dy: -14,
        textAnchor: 'start',
        text: ({ name, planner }) => {
          const after = planner.repairs.by_model + planner.repairs.by_protocol;
          const words = `${name} (${planner.answers} plans${after > 0 ? `, ${after} repaired later` : ''})`;
          return words.length <= letters ? words : `…${words.slice(1 - letters)}`;
        },
      }),
    ],
  });
}
