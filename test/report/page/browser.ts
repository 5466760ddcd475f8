import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The browser that the page is tested in; CI installs it. */
const CHROMIUM = '/usr/bin/chromium';

/** Why tests in a browser are skipped; empty where there is one. */
export const skipped = existsSync(CHROMIUM)
  ? ''
  : ` – skipped: there is no ${CHROMIUM} (apt-get install chromium)`;

/** Starts the browser for all tests of a file. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** A page that is open, and everything it complained of, asked the network for, or popped up. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Goes to a route such as `#/record`, and waits until it is there. */
  go(route: string): Promise<void>;
}

/** Opens a file in a window of that width. */
export async function openFile(
  browser: Browser,
  file: string,
  { width = 1440, scheme = 'light' as 'light' | 'dark' } = {},
): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const complaints: string[] = [];
  const { href } = pathToFileURL(file);
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== href) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(href);
  await page.waitForSelector('main > *');
  const go = async (route: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
    await page.getByText('Opening …').waitFor({ state: 'detached' });
    await page.waitForTimeout(100);
  };
  return { page, complaints, go };
}
