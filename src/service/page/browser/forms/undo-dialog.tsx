import { useRef, useState } from 'preact/hooks';
import type { OutcomeAnswer } from '../../../api/shop-schemas.js';
import { texts } from '../../texts.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem, type FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { SelectField } from '../parts/fields.js';
import { Modal } from '../parts/modal.js';
import { ProblemBox } from '../parts/problem-box.js';

interface Props {
  readonly shop: FollowedShop;
  readonly words: ShopWords;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: OutcomeAnswer) => void;
}

/** Goes back to an earlier version of the plan. */
export function UndoDialog({ shop, words, onClose, onOutcome }: Props) {
  const { state, changes } = shop;
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = useRef(newKey());
  const { undo } = texts;
  const options = changes
    .filter(({ kind }) => kind === 'opened' || kind === 'committed')
    .filter((change) => change.version < state.version)
    .map(({ version: one, now_units, news }) => {
      const name = one === 1 ? undo.plan : undo.after(words.time(now_units), news);
      return [one, undo.named(name, one)] as const;
    });
  const [version, setVersion] = useState(options[0]?.[0] ?? 1);
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
