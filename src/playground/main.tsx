import { render } from 'preact';
import { restoreTheme } from '../report/page/browser/shell/theme.js';
import { serveSearch } from './model/search-worker.js';
import { PlaygroundPage } from './playground-page.js';

/** The scope of a worker, in which there is no document. */
type SearchScope = Parameters<typeof serveSearch>[0];

// The same script is the page and its worker, so that the page also works from disk, without a server.
if (typeof document === 'undefined') serveSearch(globalThis as unknown as SearchScope);
else open();

function open(): void {
  const place = document.getElementById('app');
  if (place === null) return;
  restoreTheme();
  place.replaceChildren();
  render(<PlaygroundPage />, place);
}
