import { render } from 'preact';
import { restoreTheme } from '../../../report/page/browser/shell/theme.js';
import { ForemanPage } from './foreman-page.js';
import { markLanguage } from './texts.js';

const place = document.getElementById('app');
if (place !== null) {
  markLanguage();
  restoreTheme();
  place.replaceChildren();
  render(<ForemanPage />, place);
}
