const KEY = 'alas-jssp-theme';

/** Applies light or dark: the reader's last choice, or else the setting of the system, including its changes. */
export function restoreTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const restore = () => setTheme(remembered() ?? (system.matches ? 'dark' : 'light'));
  restore();
  system.addEventListener('change', restore);
  printLight();
}

/** Also notifies canvases, by the event `themechange` of the window. */
function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('themechange'));
}

/** Paper is light, whatever the screen shows. */
function printLight(): void {
  const { dataset } = document.documentElement;
  let theme = dataset.theme;
  addEventListener('beforeprint', () => {
    theme = dataset.theme;
    dataset.theme = 'light';
  });
  addEventListener('afterprint', () => {
    dataset.theme = theme;
  });
}

/** Changes between light and dark. */
export function toggleTheme(): void {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  setTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A page from disk may have no storage: the choice lasts until it is closed.
  }
}

function remembered(): string | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : null;
  } catch {
    return null;
  }
}
