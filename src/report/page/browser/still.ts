// The script of pages that are drawn already: light and dark.
import { restoreTheme, toggleTheme } from './shell/theme.js';

restoreTheme();
document.getElementById('theme')?.addEventListener('click', toggleTheme);
