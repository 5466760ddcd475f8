import type { ReportSubject } from '../forms/report-dialog.js';
import { operatorsAt } from '../live/operators.js';
import type { FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';

interface Props {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly words: ShopWords;
  /** Opens a report; null if reports are not possible. */
  readonly report: ((about: ReportSubject) => void) | null;
}

/** The number of next operations per operator. */
const NEXT = 2;

/** The operators and tools, with the work that they are at and their next; nothing in a shop without any. */
export function OperatorBoard({ shop, now, words, report }: Props) {
  const { followed } = shop;
  const operators = operatorsAt(followed, now, NEXT);
  if (operators.length === 0) return null;
  const { board, operators: own } = texts;
  const at = ({ operation, isSetup }: (typeof operators)[number]['works'][number]) => {
    const named = own.at(words.operation(operation), words.machine(followed.machine[operation]));
    return isSetup ? own.setup(named) : named;
  };
  return (
    <section class="board">
      <h2>{own.heading}</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">{own.operator}</th>
              <th scope="col">{board.now}</th>
              <th scope="col">{board.next}</th>
              {report !== null && <td />}
            </tr>
          </thead>
          <tbody>
            {operators.map(({ resource, name, capacity, works, next }) => (
              <tr key={resource}>
                <th scope="row">{capacity === 1 ? name : own.several(name, capacity)}</th>
                <td>
                  {works.map((work) => (
                    <div key={work.operation}>{board.runs(at(work), words.time(work.until))}</div>
                  ))}
                  {works.length === 0 && <span class="status idle">{board.status.idle}</span>}
                </td>
                <td>
                  {next.map((work) => (
                    <div key={work.operation}>{board.at(words.time(work.from), at(work))}</div>
                  ))}
                  {next.length === 0 && <span class="quiet">{board.done}</span>}
                </td>
                {report !== null && (
                  <td class="action">
                    <button
                      type="button"
                      aria-label={own.missing(name)}
                      onClick={() => report({ kind: 'capacity', resource })}
                    >
                      {own.missingShort}
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
