import { toggleTheme } from '../report/page/browser/shell/theme.js';

/** The head of the page. */
export function PageHead() {
  return (
    <header class="page-head">
      <h1>
        <span class="mark" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        alas-jssp <span class="quiet">playground</span>
      </h1>
      {/* On the site, it is a folder below the documents. */}
      {location.protocol.startsWith('http') && <a href="../">what is this?</a>}
      <button type="button" class="quiet" onClick={toggleTheme} aria-label="light / dark">
        <span aria-hidden="true">◐</span>
      </button>
    </header>
  );
}
