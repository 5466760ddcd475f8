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
      <button type="button" class="quiet" onClick={toggleTheme}>
        light / dark
      </button>
    </header>
  );
}
