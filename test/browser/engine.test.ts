import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import * as engine from 'alas-jssp/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, skipped } from '../report/page/browser.js';
import { type TourFiles, tour } from './tour.js';

const BUNDLE = 'dist/browser/engine.js';
const text = (file: string) => readFileSync(file, 'utf8');

const FILES: TourFiles = {
  small: text('benchmarks/ft/ft06.txt'),
  large: text('benchmarks/ta/ta41.txt'),
  flexible: gunzipSync(readFileSync('benchmarks/mk/mk01.fjs.gz')).toString(),
  clocked: text('test/browser/clocked.json'),
};

describe.skipIf(skipped !== '')(`the engine in Chromium${skipped}`, () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const isScript = request.url === '/engine.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? text(BUNDLE) : '<!doctype html><title>engine</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const open = async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return page;
  };

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
