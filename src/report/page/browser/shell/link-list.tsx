import type { DetailKinds, DetailLink } from '../../views/page-data.js';
import { routeTo } from './route.js';

interface Props {
  readonly kind: keyof DetailKinds;
  readonly links: readonly DetailLink[];
}

/** A list of views to choose from. */
export function LinkList({ kind, links }: Props) {
  if (links.length === 0) return <p class="empty">This page has none.</p>;
  return (
    <ul class="links">
      {links.map(({ key, title, about }) => (
        <li key={key}>
          <a href={routeTo(kind, key)}>{title}</a> <span class="quiet">{about}</span>
        </li>
      ))}
    </ul>
  );
}
