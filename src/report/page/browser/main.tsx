import { render } from 'preact';
import { App } from './shell/app.js';
import { readPageData } from './shell/contents.js';
import { restoreTheme } from './shell/theme.js';

const place = document.getElementById('app');
if (place !== null) {
  restoreTheme();
  place.replaceChildren();
  render(<App data={readPageData()} />, place);
}
