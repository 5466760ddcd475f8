// A picture of the page of the server with living shops: their makespan, lateness and open proposals as columns.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { argv, env, exit, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { resolveSource } from 'alas-jssp';
import { dispatch } from 'alas-jssp/search';
import { openShop, parseAddress } from '../dist/index.js';
import { startWorker } from '../dist/worker.js';
import { startServer } from '../server.mjs';

const [out, ...more] = argv.slice(2);
if (out === undefined || out.startsWith('-') || more.length > 0) {
  stdout.write('usage: node packages/temporal/bench/shop-picture.mjs OUT.png\n');
  exit(out === '--help' ? 0 : 2);
}

const COLUMNS = [
  'Status',
  'Workflow ID',
  'Start',
  'AlasMakespan',
  'AlasLateness',
  'AlasOpenProposals',
];
const PAGE = `/namespaces/default/workflows?query=${encodeURIComponent("WorkflowType='alasShop'")}`;

const server = await startServer({ headless: false });
const address = parseAddress(server.address('shops'));
const worker = await startWorker({ address, slots: 1 });
const left = new AbortController();
const rush = {
  operations: [2, 1].map((machine) => ({ machine, duration: 40 })),
  release: 50,
  due: 140,
};
await tell('hall-1', 'ft06', []);
await tell('hall-2', 'ft10', [{ kind: 'arrival', job: rush }]);
await tell('hall-3', 'la21', [{ kind: 'breakdown', machine: 3, from: 60, to: 200 }], {
  approval: { seconds: 3600, otherwise: 'decline' },
});
await sleep(1500);
const page = await openPage();
await takePicture(page.address().port);
page.close();
left.abort();
await worker.stop();
await server.stop();
exit(0);

/** Opens a shop, and tells it of events at 50. */
async function tell(runId, name, events, policy = {}) {
  const schedule = dispatch(resolveSource(name).load(), { rule: 'mwkr' });
  const shop = await openShop({ address, runId, schedule, policy, detach: left.signal });
  shop.ended.catch(() => {});
  if (events.length > 0) await shop.report(events, { now: 50, by: 'kim' });
}

/** The page of the server behind a door that chooses the columns of its list, as a visitor would once. */
async function openPage() {
  const columns = JSON.stringify({ default: COLUMNS.map((label) => ({ label, pinned: false })) });
  const choose = `localStorage.setItem('namespace-workflow-table-columns', ${JSON.stringify(columns)})`;
  const door = createServer((asked, answer) => {
    if (asked.url === '/') {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<script>${choose};location.replace(${JSON.stringify(PAGE)})</script>`);
      return;
    }
    const { method, url: path, headers } = asked;
    const on = { host: '127.0.0.1', port: server.uiPort, method, path, headers };
    const passed = request(on, (given) => {
      answer.writeHead(given.statusCode, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  return door;
}

async function takePicture(port) {
  const words = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
  words.push('--window-size=1400,440', '--virtual-time-budget=30000', `--screenshot=${out}`);
  words.push(`http://127.0.0.1:${port}/`);
  await promisify(execFile)(env.CHROMIUM ?? 'chromium', words, { timeout: 120_000 });
}
