import { useRef, useState } from 'preact/hooks';
import type { OutcomeAnswer } from '../../../api/shop-schemas.js';
import { texts } from '../../texts.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem, type FollowedShop } from '../live/shop-feed.js';
import { SelectField } from '../parts/fields.js';
import { Modal } from '../parts/modal.js';
import { ProblemBox } from '../parts/problem-box.js';

interface Props {
  readonly shop: FollowedShop;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: OutcomeAnswer) => void;
}

/** Versions that one can go back to by the list. */
const MOST = 50;

/** Goes back to an earlier version of the plan. */
export function UndoDialog({ shop, onClose, onOutcome }: Props) {
  const { state, changes } = shop;
  const [version, setVersion] = useState(state.version - 1);
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = useRef(newKey());
  const { undo } = texts;
  const options = Array.from(
    { length: Math.min(MOST, state.version - 1) },
    (_, i) => state.version - 1 - i,
  ).map((one) => {
    const change = changes.find((other) => other.version === one && other.kind === 'committed');
    return [one, [one, ...(change?.lines ?? [])].join(' · ')] as const;
  });
  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const path = `shops/${encodeURIComponent(state.id)}/undo`;
    try {
      const wanted = { method: 'POST', body: { version }, key: key.current } as const;
      onOutcome(await ask<OutcomeAnswer>(path, wanted));
      onClose();
    } catch (error) {
      const found = asProblem(error);
      if (found.status !== 0) key.current = newKey();
      setProblem(found);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal heading={undo.heading} onClose={onClose}>
      <form onSubmit={send}>
        <p>{undo.explain}</p>
        {options.length === 0 ? (
          <p class="empty">{undo.none}</p>
        ) : (
          <SelectField
            label={undo.version}
            value={version}
            options={options}
            onChange={setVersion}
          />
        )}
        {problem !== null && <ProblemBox problem={problem} />}
        <footer>
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" class="main-button" disabled={isBusy || options.length === 0}>
            {undo.send}
          </button>
        </footer>
      </form>
    </Modal>
  );
}
