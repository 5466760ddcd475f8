import type { ShopVerdict } from '../model/judge-shop.js';
import type { PlayState } from '../model/play-state.js';

interface Props {
  readonly state: PlayState;
  readonly verdict: ShopVerdict;
}

/** The verdict of the validator and the most important figures. */
export function VerdictTiles({ state, verdict }: Props) {
  const { view, lower, upper, gap, isOptimal } = verdict;
  const found = Object.values(view.counts).reduce((sum, count) => sum + count, 0);
  const { milliseconds } = state.step;
  return (
    <dl class="tiles" aria-label="Verdict">
      <div class={view.valid ? 'good' : 'bad'}>
        <dt>Verdict</dt>
        <dd>{view.valid ? 'valid' : 'invalid'}</dd>
        <dd class="note">{view.valid ? 'no rule is broken' : `${found} rules are broken`}</dd>
      </div>
      <div>
        <dt>Makespan</dt>
        <dd>{view.makespan}</dd>
        <dd class="note">the end of the last operation</dd>
      </div>
      <div>
        <dt>No plan can end before</dt>
        <dd>{lower.value}</dd>
        <dd class="note">
          {lower.source}
          {upper !== null && upper !== lower.value ? `; best known ${upper}` : ''}
        </dd>
      </div>
      <div class={isOptimal ? 'good' : ''}>
        <dt>Gap</dt>
        <dd>{gap === null ? '–' : isOptimal ? 'optimal' : `${gap.toFixed(1)} %`}</dd>
        <dd class="note">
          {gap === null ? 'a wrong plan has none' : isOptimal ? 'proven' : 'above the lower bound'}
        </dd>
      </div>
      <div>
        <dt>Last repair</dt>
        <dd>{milliseconds === null ? '–' : `${milliseconds.toFixed(1)} ms`}</dd>
        <dd class="note">
          {milliseconds !== null
            ? 'measured in this page'
            : state.now === null
              ? 'nothing broke yet'
              : 'the last step was no repair'}
        </dd>
      </div>
    </dl>
  );
}
