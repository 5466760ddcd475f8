// How long /health waits while large bodies arrive: 3.6 MB of nested arrays, and sixteen plans of 7 MB at once.
// Build first, then: node bench/service-stall.mjs [--json FILE]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { save } from './measure.mjs';

const bin = join(import.meta.dirname, '..', 'bin', 'alas-jssp.js');
const service = spawn(process.execPath, [bin, 'serve', '--port', '0', '--demo', '--quiet']);
const [line] = await once(service.stdout, 'data');
const url = String(line).trim();
const nested = `[${Array(80_000)
  .fill(`${'['.repeat(22)}${']'.repeat(22)}`)
  .join(',')}]`;
const row = { job: 'Job1', step: 1, machine: 'Machine0', start: 0, end: 3, note: 'x'.repeat(20) };
const plan = Array(70_000).fill(row);
const cases = [
  {
    name: 'nested arrays, /validate',
    path: '/validate',
    bodies: [`{"instance":"ft06","plan":${nested}}`],
  },
  {
    name: 'nested arrays, /shops',
    path: '/shops',
    bodies: [`{"instance":"ft06","plan":${nested}}`],
  },
  {
    name: 'sixteen plans, /validate',
    path: '/validate',
    bodies: Array(16).fill(JSON.stringify({ instance: 'ft06', plan })),
  },
];
const rows = [];
for (const { name, path, bodies } of cases) {
  let isOver = false;
  let longest = 0;
  const probe = (async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${url}/health`)).text();
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const headers = { 'content-type': 'application/json' };
  const statuses = await Promise.all(
    bodies.map(async (body) => {
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      await answer.text();
      return answer.status;
    }),
  );
  isOver = true;
  await probe;
  console.log(
    `  ${name.padEnd(26)} ${longest.toFixed(0).padStart(6)} ms (${[...new Set(statuses)]})`,
  );
  rows.push({ name, longest_health_seconds: longest / 1000 });
}
service.kill('SIGINT');
save(rows);
