import type { ShopVerdict } from './model/judge-shop.js';
import { type PlayState, validSchedule } from './model/play-state.js';

interface Props {
  readonly state: PlayState;
  readonly verdict: ShopVerdict;
  readonly isBusy: boolean;
  readonly canUndo: boolean;
  readonly onBreak: () => void;
  readonly onRepair: () => void;
  readonly onUndo: () => void;
}

/** The heading: what the reader sees, in plain words, and the next thing to try. */
export function Hero({ state, verdict, isBusy, canUndo, onBreak, onRepair, onUndo }: Props) {
  const { missing } = verdict.view;
  // In execution, a schedule may miss deadlines that no schedule meets any more.
  const isWrong = !verdict.view.valid && (validSchedule(state) === null || state.now === null);
  return (
    <section class="hero">
      <div>
        <h2>{isWrong ? 'This plan breaks rules' : state.step.title}</h2>
        <p aria-live="polite">{state.step.sentence}</p>
      </div>
      <div class="hero-actions">
        {isWrong ? (
          <button type="button" class="call" disabled={isBusy} onClick={onRepair}>
            Repair the plan
          </button>
        ) : (
          <button
            type="button"
            class="call"
            disabled={isBusy || missing > 0 || verdict.schedule === null}
            onClick={onBreak}
          >
            {state.now === null ? 'Break a machine' : 'Break another machine'}
          </button>
        )}
        {canUndo && (
          <button type="button" class="undo" disabled={isBusy} onClick={onUndo}>
            Undo
          </button>
        )}
      </div>
    </section>
  );
}
