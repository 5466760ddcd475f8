import { useState } from 'preact/hooks';
import type { Playground } from '../use-playground.js';
import type { CurvePoint, LiveSearch } from '../use-search.js';
import { SelectBox } from './fields.js';

interface Props {
  readonly playground: Playground;
  readonly search: LiveSearch;
}

const BUDGETS = [
  [2, '2 seconds'],
  [10, '10 seconds'],
  [60, 'a minute'],
] as const;

/** Starts and stops the optimizer, and draws how the plan gets shorter. */
export function OptimizeBox({ playground, search }: Props) {
  const [seconds, setSeconds] = useState<number>(10);
  const { isRunning, points } = search;
  return (
    <div class="optimize">
      <div class="row">
        <SelectBox label="Optimize for" value={seconds} options={BUDGETS} onChange={setSeconds} />
        {isRunning ? (
          <button type="button" class="strong" onClick={search.stop}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            class="strong"
            disabled={playground.isBusy}
            onClick={() => search.start(seconds)}
          >
            Optimize
          </button>
        )}
      </div>
      {points.length > 0 && <Curve search={search} />}
    </div>
  );
}

const WIDTH = 320;
const HEIGHT = 84;

/** The best makespan over time, as steps. */
function Curve({ search }: { search: LiveSearch }) {
  const { points, seconds, iterations, lower, isRunning } = search;
  const best = points[points.length - 1].value;
  const words = `Best makespan ${best} after ${seconds.toFixed(1)} seconds and ${iterations.toLocaleString('en-US')} iterations`;
  const bound = lower === null ? '' : `; lower bound ${lower}`;
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${words}${bound}`}>
        <path d={stepPath(points, seconds)} />
      </svg>
      <figcaption class="quiet">
        {isRunning ? 'Searching: ' : ''}
        {points[0].value} → {best} in {seconds.toFixed(1)} s, {iterations.toLocaleString('en-US')}{' '}
        iterations{bound}
      </figcaption>
    </figure>
  );
}

function stepPath(points: readonly CurvePoint[], seconds: number): string {
  const last = Math.max(seconds, points[points.length - 1].seconds, 0.05);
  const top = points[0].value;
  const low = points[points.length - 1].value;
  const x = (time: number) => 4 + ((WIDTH - 8) * time) / last;
  const y = (value: number) =>
    8 + (top === low ? 0.5 : (top - value) / (top - low)) * (HEIGHT - 16);
  const steps = points.map((point, i) => {
    const from = i === 0 ? `M${x(0)} ${y(point.value)}` : `H${x(point.seconds).toFixed(1)}`;
    return `${from}V${y(point.value).toFixed(1)}`;
  });
  return `${steps.join('')}H${x(last)}`;
}
