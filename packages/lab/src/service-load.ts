// A service under load.
//   npm run bench -- service-load [--rates 10,50,200] [--seconds 60] [--shops 100] [--instance swv11]
//   npm run bench -- service-load --hour
// Events come at a rate, whatever the service does with them (open loop): the time of an answer counts from when
// its request was to be sent. With --hour an hour of 10 events a second is sent as fast as it is answered, and the
// memory of the service is printed on the way. What a service refuses for having too much to do (503) is counted apart,
// and its time is not among those of answers. Exits with 1 if an answer was an error.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createChance,
  megabytes,
  randomEvent,
  type Shop,
  send,
  startServer,
} from './service/server.js';

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '10,50,200' },
    seconds: { type: 'string', default: '60' },
    shops: { type: 'string', default: '100' },
    instance: { type: 'string', default: 'swv11' },
    events: { type: 'string', default: '36000' },
    hour: { type: 'boolean', default: false },
    threads: { type: 'string' },
  },
});
/** The status of a request that the service had no room for. */
const REFUSED = 503;
const SHOPS = Number(values.shops);
const chance = createChance(1);
const data = mkdtempSync(join(tmpdir(), 'service-load-'));
const server = await startServer(data, values.threads ? ['--threads', values.threads] : []);
const shops: Shop[] = [];
let failed = 0;
try {
  const began = performance.now();
  for (let i = 0; i < SHOPS; i++) {
    const body = { id: `shop-${i}`, instance: values.instance, planner: 'dispatch:mwkr' };
    const { status, body: made } = await send(server.url, 'POST', '/shops', body);
    if (status >= 300) throw new Error(JSON.stringify(made));
    shops.push({ ...made, time: 0 });
  }
  const { jobs, machines, operations } = shops[0];
  console.log(
    `${SHOPS} shops of ${jobs} × ${machines} (${operations} operations), opened in ${seconds(began)} s; ${megabytes(server.child.pid)} MB`,
  );
  // The first repairs of a shop find nothing warm.
  for (let i = 0; i < 2 * SHOPS; i++) await tell(shops[i % SHOPS]);
  if (values.hour) await anHour();
  else for (const rate of values.rates.split(',').map(Number)) await underLoad(rate);
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

/** Sends the next event to a shop, a few units of time after the one before. */
async function tell(shop: Shop) {
  shop.time += 2 + Math.floor(chance() * 16);
  const { time: now, jobs, machines, id } = shop;
  const event = randomEvent(chance, { jobs, machines, now });
  const { status, body } = await send(server.url, 'POST', `/shops/${id}/events`, {
    events: [event],
    now,
  });
  if (status >= 300 && status !== REFUSED) {
    failed++;
    if (failed <= 5) console.log(status, JSON.stringify(event), body.detail);
  }
  return status;
}

async function underLoad(rate: number) {
  const count = Math.round(rate * Number(values.seconds));
  const times: number[] = [];
  let errors = 0;
  let refused = 0;
  const under: Promise<void>[] = [];
  const start = performance.now();
  let due = start;
  for (let i = 0; i < count; i++) {
    // Events come as they will: Poisson.
    due += (-Math.log(1 - chance()) * 1000) / rate;
    const ahead = due - performance.now();
    if (ahead > 1) await wait(ahead);
    const meant = due;
    const shop = shops[Math.floor(chance() * SHOPS)];
    under.push(
      tell(shop).then((status) => {
        if (status === REFUSED) refused++;
        else times.push(performance.now() - meant);
        if (status >= 300 && status !== REFUSED) errors++;
      }),
    );
  }
  await Promise.all(under);
  if (times.length === 0) throw new Error(`all ${count} events were refused`);
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1);
  console.log(
    `${rate}/s, ${count} events: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms, ${errors} errors, ${refused} refused, ` +
      `${(times.length / ((performance.now() - start) / 1000)).toFixed(1)}/s answered, ${megabytes(server.child.pid)} MB`,
  );
}

async function anHour() {
  const count = Number(values.events);
  const start = performance.now();
  let refused = 0;
  for (let i = 0, told = 0; i < count; i += 8) {
    const answers = Array.from({ length: 8 }, (_, k) => tell(shops[(i + k) % SHOPS]));
    refused += (await Promise.all(answers)).filter((status: number) => status === REFUSED).length;
    if (i < told) continue;
    told += count / 12;
    console.log(`${i} events, ${seconds(start)} s: ${megabytes(server.child.pid)} MB`);
  }
  console.log(
    `${count} events, ${seconds(start)} s: ${megabytes(server.child.pid)} MB, ${failed} errors, ${refused} refused`,
  );
}

function seconds(since: number) {
  return ((performance.now() - since) / 1000).toFixed(1);
}
