import type { ShopStateAnswer } from '../../../api/shop-schemas.js';
import { texts } from '../../texts.js';
import type { ShopWords } from '../live/shop-words.js';

interface Props {
  readonly late: ShopStateAnswer['late'];
  readonly words: ShopWords;
}

/** The jobs that end after their due date as planned, the latest first. */
export function LateList({ late, words }: Props) {
  const { late: text } = texts;
  return (
    <section class="late">
      <h2>
        {text.heading}
        {late.length > 0 && ` (${late.length})`}
      </h2>
      {late.length === 0 && <p class="quiet">{text.none}</p>}
      <ul>
        {late
          .toSorted((a, b) => b.late_by - a.late_by)
          .map(({ job, due, end, late_by }) => (
            <li key={job}>
              <strong>{text.line(job, words.duration(late_by))}</strong>
              <span class="quiet">
                {' '}
                {text.detail(words.timeOfAnswer(due), words.timeOfAnswer(end))}
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}
