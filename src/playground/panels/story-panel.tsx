import { MoveList } from '../../report/page/browser/gantt/move-list.js';
import { ViolationList } from '../../report/page/browser/gantt/violation-list.js';
import type { ShopVerdict } from '../model/judge-shop.js';
import type { PlayState } from '../model/play-state.js';

interface Props {
  readonly state: PlayState;
  readonly verdict: ShopVerdict;
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
}

/** The result of the last step: figures, violations by root cause, and what moved and why. */
export function StoryPanel({ state, verdict, selected, onSelect }: Props) {
  const { step } = state;
  const { view } = verdict;
  const select = { selected, onSelect };
  return (
    <section class="card story" aria-labelledby="story-title">
      <h2 id="story-title">What happened, and why</h2>
      <p>
        <strong>{step.title}.</strong> {step.sentence}
      </p>
      {step.figures.length > 0 && (
        <dl class="figures">
          {step.figures.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ViolationList view={view} {...select} />
      {step.moves !== null && step.moves.moved.length > 0 && (
        <MoveList view={view} moves={step.moves} {...select} />
      )}
      {step.moves === null && view.valid && (
        <p class="quiet">
          Break a machine, move an operation or repair a plan: then this place lists what moved, and
          the cause of each move.
        </p>
      )}
    </section>
  );
}
