import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as engine from 'alas-jssp/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, skipped } from '../report/page/browser.js';
import { type TourFiles, tour } from './tour.js';

const BUNDLE = 'dist/browser/engine.js';
const text = (file: string) => readFileSync(file, 'utf8');
const guide = text('docs/how-to/browser.md');
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';

const FILES: TourFiles = {
  small: text('benchmarks/ft/ft06.txt'),
  large: text('benchmarks/ta/ta41.txt'),
  flexible: gunzipSync(readFileSync('benchmarks/mk/mk01.fjs.gz')).toString(),
  clocked: text('test/browser/clocked.json'),
};

it('is as large as the guide says', () => {
  const [, plain = 0, compressed = 0] = /(\d+) kB, (\d+) kB compressed/.exec(guide) ?? [];
  const bundle = readFileSync(BUNDLE);
  for (const [said, bytes] of [
    [plain, bundle.length],
    [compressed, gzipSync(bundle).length],
  ] as const)
    expect(Math.abs(Number(said) / (bytes / 1000) - 1)).toBeLessThan(0.05);
});

describe.skipIf(skipped !== '')(`the engine in Chromium${skipped}`, () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const isScript = request.url === '/engine.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      const isGuide = request.url === '/guide';
      const empty = '<!doctype html><title>engine</title>';
      response.end(isScript ? text(BUNDLE) : isGuide ? blockOf('html') : empty);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const open = async () => {
    const page = await browser.newPage();
    await page.goto(address());
    return page;
  };

  it('prints what the guide says, from the page that the guide has', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('pageerror', (error) => said.push(error.message));
    page.on('console', (message) => message.type() === 'log' && said.push(message.text()));
    const wanted = blockOf('text').trim().split('\n');
    await page.goto(`${address()}guide`);
    await expect.poll(() => said, { timeout: 20_000 }).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(1);
  });

  it('finds, judges and repairs what it finds, judges and repairs in Node', async () => {
    const page = await open();
    const there = await page.evaluate<string>(
      `import('/engine.js').then((engine) => (${tour})(engine, ${JSON.stringify(FILES)}))`,
    );
    expect(JSON.parse(there)).toEqual(JSON.parse(await tour(engine, FILES)));
  });

  it('says of threads and files that a browser has none', async () => {
    const page = await open();
    const errors = await page.evaluate<string[]>(`(async () => {
      const { optimize, generateTaillard } = await import('/engine.js');
      const shop = generateTaillard({ jobs: 3, machines: 3, timeSeed: 1, machineSeed: 2 });
      const ask = (threads) => optimize(shop, { threads, budget: '1s' }).catch(String);
      return [await ask(2)];
    })()`);
    expect(errors[0]).toMatch(/there are no threads in a browser.*Web Worker/);
  });
});
