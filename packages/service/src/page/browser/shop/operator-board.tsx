import type { ReportSubject } from '../forms/report-dialog.js';
import { type OperatorNow, type OperatorWork, operatorsAt } from '../live/operators.js';
import type { FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';
import { BoardTable, NEXT } from './board-table.js';

interface Props {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly words: ShopWords;
  /** Opens a report; null if reports are not possible. */
  readonly report: ((about: ReportSubject) => void) | null;
}

/** The operators and tools, with the work that they are at and their next; nothing in a shop without any. */
export function OperatorBoard({ shop, now, words, report }: Props) {
  const { followed, proposed } = shop;
  const operators = operatorsAt(followed, now, NEXT, proposed ?? followed);
  if (operators.length === 0) return null;
  const { board, operators: own } = texts;
  const at = ({ operation, isSetup }: OperatorWork) => {
    const named = own.at(words.operation(operation), words.machine(followed.machine[operation]));
    return isSetup ? own.setup(named) : named;
  };
  const rows = operators.map((operator) => {
    const { resource, name, capacity, works, next } = operator;
    return {
      id: resource,
      name: capacity === 1 ? name : own.several(name, capacity),
      now: (
        <>
          {works.map((work) => (
            <div key={work.operation}>
              <span class="status running">{board.runs(at(work), words.time(work.until))}</span>
            </div>
          ))}
          <Presence operator={operator} words={words} />
        </>
      ),
      next: next.map((work) => board.at(words.time(work.from), at(work))),
      action: report && (
        <button
          type="button"
          aria-label={own.missing(name)}
          onClick={() => report({ kind: 'capacity', resource })}
        >
          {own.missingShort}
        </button>
      ),
    };
  });
  return (
    <BoardTable
      heading={own.heading}
      title={own.operator}
      rows={rows}
      hasActions={report !== null}
    />
  );
}

/** Whether an operator is away or free, or how many of several are there. */
function Presence({
  operator: { works, there, until },
  words,
}: {
  readonly operator: OperatorNow;
  readonly words: ShopWords;
}) {
  const { board, operators: own } = texts;
  if (until !== null) {
    const text = there === 0 ? own.away(words.time(until)) : own.there(there, words.time(until));
    return <span class="status closed">{text}</span>;
  }
  return works.length === 0 ? <span class="status idle">{board.status.idle}</span> : null;
}
