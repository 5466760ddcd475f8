import { restoreTheme } from 'alas-jssp/page/parts';
import { render } from 'preact';
import { ForemanPage } from './foreman-page.js';
import { markLanguage } from './texts.js';

const place = document.getElementById('app');
if (place !== null) {
  markLanguage();
  restoreTheme();
  place.replaceChildren();
  render(<ForemanPage />, place);
}
