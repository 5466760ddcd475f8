import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';

const HOME = resolve('dist/playground');
const FILES = ['index.html', 'page.js', 'page.css'];

/** Builds the page if it is out of date. */
export function buildPlayground(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', 'playground'], { stdio: 'pipe' });
}

/** Options of {@link openPlayground}. */
interface OpenOptions {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** The address of the page; default: the file on disk. */
  readonly address?: string;
  readonly hash?: string;
}

/** The open page, and everything it complained of, or asked the network for, besides its own files. */
export interface OpenPlayground {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens the page, without animations. */
export async function openPlayground(
  browser: Browser,
  { width = 1440, scheme = 'light', address, hash = '' }: OpenOptions = {},
): Promise<OpenPlayground> {
  const page = await browser.newPage({
    viewport: { width, height: 1000 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  const complaints: string[] = [];
  const home = address ?? `${pathToFileURL(HOME).href}/`;
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const [url] = request.url().split('#');
    if (!FILES.some((file) => url === home + file) && url !== home && !/^(blob|data):/.test(url)) {
      complaints.push(`request: ${url}`);
    }
  });
  await page.goto(`${home}index.html${hash}`);
  await page.waitForSelector('main > *');
  return { page, complaints };
}

/** The verdict of the page, by the labels of its tiles. */
export async function verdictOf(page: Page): Promise<Record<string, string>> {
  const texts = await page.locator('.tiles > div').allInnerTexts();
  return Object.fromEntries(
    texts.map((text) => text.split('\n').filter((line) => line !== '')).map(([k, v]) => [k, v]),
  );
}

/** The content of the file that a button saves. */
export async function savedBy(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

/** Serves the page from a sub-path. */
export async function servePlayground(path: string): Promise<{ server: Server; address: string }> {
  const types: Record<string, string> = {
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
  };
  const server = createServer(({ url = '' }, response) => {
    const file = url.slice(path.length).split('?')[0] || 'index.html';
    if (!url.startsWith(path) || !FILES.includes(file)) return response.writeHead(404).end();
    response.setHeader('content-type', types[file.split('.')[1]]);
    return response.end(readFileSync(join(HOME, file)));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}${path}` };
}
