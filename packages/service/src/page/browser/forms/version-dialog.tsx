import { useRef, useState } from 'preact/hooks';
import type { OutcomeAnswer } from '../../../api/shop-schemas.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem, type FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { SelectField } from '../parts/fields.js';
import { Modal } from '../parts/modal.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';

interface Props {
  /** `undo` returns to a version, `withdraw` reverts the report that created one. */
  readonly what: 'undo' | 'withdraw';
  readonly shop: FollowedShop;
  readonly words: ShopWords;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: OutcomeAnswer) => void;
}

/** Returns to an earlier version of the plan, or withdraws a report. */
export function VersionDialog({ what, shop, words, onClose, onOutcome }: Props) {
  const { state, changes } = shop;
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = useRef(newKey());
  const { [what]: dialog, undo } = texts;
  const versions =
    what === 'withdraw'
      ? changes.filter(({ report }) => report)
      : changes
          .filter(({ kind }) => kind === 'opened' || kind === 'committed')
          .filter((change) => change.version < state.version);
  const options = versions.map(({ version: one, now_units, command }) => {
    const name = one === 1 ? undo.plan : dialog.after(words.time(now_units), command);
    return [one, undo.named(name, one)] as const;
  });
  const [version, setVersion] = useState(options[0]?.[0] ?? 1);
  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const path = `shops/${encodeURIComponent(state.id)}/${what}`;
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
    <Modal heading={dialog.heading} onClose={onClose}>
      <form onSubmit={send}>
        <p>{dialog.explain}</p>
        {options.length === 0 ? (
          <p class="empty">{dialog.none}</p>
        ) : (
          <SelectField
            label={dialog.version}
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
            {dialog.send}
          </button>
        </footer>
      </form>
    </Modal>
  );
}
