import { useRef, useState } from 'preact/hooks';
import type { OutcomeAnswer, ShopStateAnswer } from '../../../api/shop-schemas.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem, type FollowedShop, mayDo } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';

interface Props {
  readonly proposal: NonNullable<ShopStateAnswer['proposal']>;
  readonly shop: FollowedShop;
  readonly words: ShopWords;
  /** Receives the outcome as a text. */
  readonly onAnswer: (text: string) => void;
}

/** The number of moves listed at first. */
const FIRST = 3;

/** A repair that waits for approval: its moves and their causes, and two buttons. */
export function ProposalCard({ shop, proposal, words, onAnswer }: Props) {
  const {
    name,
    method,
    moves,
    more,
    moved,
    makespan,
    reported_at: reportedAt,
    command,
    warnings,
    by,
  } = proposal;
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? moves : moves.slice(0, FIRST);
  const hidden = moves.length - shown.length + more;
  const { proposal: text } = texts;
  return (
    <section class="proposal" aria-label={text.heading(moved)}>
      <div class="what">
        <h2>{text.heading(moved)}</h2>
        <p>
          {texts.board.at(words.time(reportedAt), command)}
          {by !== null && <span class="quiet"> · {text.by(by)}</span>}
        </p>
        <p>
          <strong>{text.end(words.time(makespan.before), words.time(makespan.after))}</strong>
          <span class="quiet"> · {text.methods[method] ?? method}</span>
        </p>
        <LateChange before={shop.state.late} after={proposal.late} words={words} />
        {shop.state.warnings.length === 0 &&
          warnings.map((warning) => (
            <p key={warning} class="warning">
              {warning}
            </p>
          ))}
        <ul>
          {shown.map((move) => (
            <li key={`${move.job} ${move.step}`}>{move.cause}</li>
          ))}
        </ul>
        {hidden > 0 && !showsAll && moves.length > FIRST && (
          <button type="button" onClick={() => setShowsAll(true)}>
            {text.more(hidden)}
          </button>
        )}
        {hidden > 0 && (showsAll || moves.length <= FIRST) && <p>{text.more(hidden)}</p>}
      </div>
      {mayDo(shop.session, 'decide') ? (
        <Answers id={shop.state.id} name={name} onAnswer={onAnswer} />
      ) : (
        <p class="quiet">{texts.session.waits(shop.session)}</p>
      )}
    </section>
  );
}

interface LateProps {
  readonly before: ShopStateAnswer['late'];
  readonly after: ShopStateAnswer['late'];
  readonly words: ShopWords;
}

/** The jobs whose lateness the proposal changes. */
function LateChange({ before, after, words }: LateProps) {
  const { proposal: text } = texts;
  const was = new Map(before.map(({ job, late_by }) => [job, late_by]));
  const changed = after.filter(({ job, late_by }) => late_by !== was.get(job));
  const saved = before.filter(({ job }) => !after.some((other) => other.job === job));
  if (changed.length === 0 && saved.length === 0) return null;
  const lines = [
    ...changed.map(({ job, late_by }) =>
      text.late(
        job,
        words.duration(late_by),
        was.has(job) ? words.duration(was.get(job) ?? 0) : null,
      ),
    ),
    ...saved.map(({ job }) => text.inTime(job)),
  ];
  return <strong class="warn">{lines.join('; ')}</strong>;
}

interface AnswersProps {
  /** The id of the shop. */
  readonly id: string;
  /** The name of the proposal. */
  readonly name: string;
  readonly onAnswer: (text: string) => void;
}

/** The buttons that answer a proposal. */
function Answers({ id, name, onAnswer }: AnswersProps) {
  const { answer, problem, isBusy } = useAnswer(id, name, onAnswer);
  const [reason, setReason] = useState('');
  const { proposal: text } = texts;
  return (
    <div class="answers">
      <button
        type="button"
        class="main-button"
        disabled={isBusy}
        onClick={() => answer('approve', {})}
      >
        {text.accept}
      </button>
      <button type="button" disabled={isBusy} onClick={() => answer('decline', { reason })}>
        {text.decline}
      </button>
      <input
        type="text"
        value={reason}
        maxLength={1000}
        placeholder={text.reason}
        aria-label={text.reason}
        onInput={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {problem !== null && <ProblemBox problem={problem} />}
    </div>
  );
}

/** Answers a proposal; an earlier answer of another caller is not an error. */
function useAnswer(id: string, name: string, onAnswer: (text: string) => void) {
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = useRef({ of: '', is: '' });
  const answer = async (what: 'approve' | 'decline', body: object) => {
    setBusy(true);
    setProblem(null);
    if (key.current.of !== name + what) key.current = { of: name + what, is: newKey() };
    const path = `shops/${encodeURIComponent(id)}/proposals/${encodeURIComponent(name)}/${what}`;
    try {
      const wanted = { method: 'POST', body, key: key.current.is } as const;
      const { status, version, method } = await ask<OutcomeAnswer>(path, wanted);
      const { outcome } = texts;
      if (status === 'committed') onAnswer(outcome.approved(version));
      else if (status !== 'declined') onAnswer(outcome[status]);
      // The event may still need another repair.
      else onAnswer(method === null ? outcome.refused : outcome.kept(version));
    } catch (error) {
      const found = asProblem(error);
      if (found.code === 'no_proposal') onAnswer(texts.proposal.gone);
      else setProblem(found);
    } finally {
      setBusy(false);
    }
  };
  return { answer, problem, isBusy };
}
