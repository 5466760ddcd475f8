// The script of static pages, which only switches between light and dark.
import { restoreTheme, toggleTheme } from './shell/theme.js';

restoreTheme();
document.getElementById('theme')?.addEventListener('click', toggleTheme);
