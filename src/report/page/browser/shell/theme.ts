const KEY = 'alas-jssp-theme';

/** Light or dark, as the reader chose last; else as the system has it. */
export function restoreTheme(): void {
  const stored = remembered();
  if (stored !== null) document.documentElement.dataset.theme = stored;
  printLight();
}

/** Paper is light, whatever the screen shows. */
function printLight(): void {
  const { dataset } = document.documentElement;
  let theme: string | undefined;
  addEventListener('beforeprint', () => {
    theme = dataset.theme;
    dataset.theme = 'light';
  });
  addEventListener('afterprint', () => {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
  });
}

/** True while the page is dark. */
function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen === undefined
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : chosen === 'dark';
}

/** Changes between light and dark, and tells canvases by the event `themechange` of the window. */
export function toggleTheme(): void {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A page from disk may have no storage: the choice lasts until it is closed.
  }
  dispatchEvent(new Event('themechange'));
}

function remembered(): string | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : null;
  } catch {
    return null;
  }
}
