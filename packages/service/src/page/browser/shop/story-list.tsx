import { useState } from 'preact/hooks';
import type { FollowedShop } from '../live/shop-feed.js';
import { texts } from '../texts.js';

/** The number of entries listed at first. */
const FIRST = 8;

/** The story of a shop, the latest entry first. */
export function StoryList({ shop: { changes } }: { shop: FollowedShop }) {
  const [showsAll, setShowsAll] = useState(false);
  const { story: text } = texts;
  // The entry of a decision repeats its proposal.
  const entries = changes.filter(
    ({ kind, lines }, i) => lines.length > 0 && (kind !== 'proposal' || i === 0),
  );
  const shown = showsAll ? entries : entries.slice(0, FIRST);
  return (
    <section class="story">
      <h2>{text.heading}</h2>
      {entries.length === 0 && <p class="quiet">{text.none}</p>}
      <ol>
        {shown.map(({ id, lines, by }) => (
          <li key={id}>
            {lines.join('; ')}
            {by !== null && <span class="quiet"> · {text.by(by)}</span>}
          </li>
        ))}
      </ol>
      {entries.length > shown.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          {text.all}
        </button>
      )}
    </section>
  );
}
