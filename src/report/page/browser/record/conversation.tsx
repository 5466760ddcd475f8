import { useEffect, useRef } from 'preact/hooks';
import type { RecordDetail } from '../../views/page-data.js';

type ConversationTurn = RecordDetail['conversation'][number];

interface Props {
  readonly turns: readonly ConversationTurn[];
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
}

/** The requests to a model and its answers, with the parts that were read as entries marked. */
export function Conversation({ turns, ...select }: Props) {
  return (
    <section class="conversation">
      <h3>
        Conversation with the model: {turns.length} answer{turns.length === 1 ? '' : 's'}
      </h3>
      {turns.map((turn, i) => (
        <details key={turn.file} open={i === turns.length - 1}>
          <summary>
            {turns.length > 1 && `${i + 1}. `}
            {turn.model}: {turn.remarks.join(', ')}
          </summary>
          <p class="quiet">{turn.file}</p>
          {turn.messages.map(({ role, text }, k) => (
            <details key={`${role}${k}`} class="prompt">
              <summary>
                Prompt, {role}: {text.length} characters
              </summary>
              <pre>{text}</pre>
            </details>
          ))}
          <AnswerText turn={turn} {...select} />
          <IgnoredParts turn={turn} />
        </details>
      ))}
    </section>
  );
}

interface AnswerProps extends Omit<Props, 'turns'> {
  readonly turn: ConversationTurn;
}

/** An answer; its readable parts are marked and linked to the operations in the chart. */
function AnswerText({ turn: { answer, spans }, selected, onSelect }: AnswerProps) {
  const text = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const mark = text.current?.querySelector<HTMLElement>('mark[aria-current]');
    const box = text.current;
    if (mark == null || box === null) return;
    box.scrollTop = mark.offsetTop - box.clientHeight / 2;
  }, [selected]);
  return (
    <>
      <h4>Answer</h4>
      {spans.length > 0 && (
        <p class="quiet">
          Marked: what was taken as an operation. Click a mark to see it in the chart.
        </p>
      )}
      {answer.trim() === '' && <p class="empty">The answer is empty.</p>}
      <pre ref={text} class="answer">
        {piecesOf(answer, spans).map(({ from, words, span }) =>
          span === null ? (
            words
          ) : (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys choose operations in the chart, and their marks follow
            <mark
              key={from}
              title={span.words}
              aria-current={span.operation >= 0 && span.operation === selected ? 'true' : undefined}
              onClick={() => onSelect(span.operation)}
            >
              {words}
            </mark>
          ),
        )}
      </pre>
    </>
  );
}

interface Piece {
  readonly from: number;
  readonly words: string;
  readonly span: ConversationTurn['spans'][number] | null;
}

/** The text cut at its spans, which do not overlap. */
function piecesOf(answer: string, spans: ConversationTurn['spans']): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const span of spans) {
    if (span.from > at) pieces.push({ from: at, words: answer.slice(at, span.from), span: null });
    pieces.push({ from: span.from, words: answer.slice(span.from, span.to), span });
    at = span.to;
  }
  if (at < answer.length) pieces.push({ from: at, words: answer.slice(at), span: null });
  return pieces;
}

function IgnoredParts({ turn: { ignored } }: { turn: ConversationTurn }) {
  if (ignored.length === 0) return null;
  return (
    <details>
      <summary>{ignored.length} parts were passed over</summary>
      <ul>
        {ignored.slice(0, 200).map(({ line, words }) => (
          <li key={`${line} ${words}`}>
            line {line}: {words}
          </li>
        ))}
      </ul>
    </details>
  );
}
