// A service under load.
//   npm run bench -- service-load [--rates 10,50,200] [--seconds 60] [--shops 100] [--instance swv11 | --operations N]
//   npm run bench -- service-load --hour
//   npm run bench -- service-load --reopen --shops 1000 --operations 500 [--idle 10]
// Events come at a rate, whatever the service does with them (open loop): the time of an answer counts from when
// its request was to be sent. With --hour an hour of 10 events a second is sent as fast as it is answered, and the
// memory of the service is printed on the way. What a service refuses for having too much to do (503) is counted apart,
// and its time is not among those of answers. With --reopen the service is ended and started again over its shops: how
// soon it listens and lists all of them, and its memory when it has done nothing for some seconds. Beside times, which
// depend on the load of the machine (printed, too), there is the processor time of the service. With --operations the
// shops are random ones of that size with 10 machines. --profile DIR writes processor profiles of all its threads.
// Exits with 1 if an answer was an error.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createChance,
  megabytes,
  processorSeconds,
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
    operations: { type: 'string' },
    events: { type: 'string', default: '36000' },
    hour: { type: 'boolean', default: false },
    reopen: { type: 'boolean', default: false },
    idle: { type: 'string', default: '10' },
    threads: { type: 'string' },
    profile: { type: 'string' },
  },
});
/** The status of a request that the service had no room for. */
const REFUSED = 503;
/** The machines of random shops. */
const MACHINES = 10;
/** Requests under way while shops are opened. */
const TOGETHER = 8;
const SHOPS = Number(values.shops);
const chance = createChance(1);
const data = mkdtempSync(join(tmpdir(), 'service-load-'));
let server = await start();
const shops: Shop[] = [];
let failed = 0;
try {
  await openShops();
  if (values.reopen) await reopen();
  else {
    // The first repairs of a shop find nothing warm.
    for (let i = 0; i < 2 * SHOPS; i++) await tell(shops[i % SHOPS]);
    if (values.hour) await anHour();
    else for (const rate of values.rates.split(',').map(Number)) await underLoad(rate);
  }
} finally {
  await stop();
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

function start() {
  const { threads, profile } = values;
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  return startServer(data, threads ? ['--threads', threads] : [], process.env, profiled);
}

async function stop() {
  server.child.kill('SIGTERM');
  await server.ended;
}

async function openShops() {
  const began = performance.now();
  const used = cpu();
  let next = 0;
  const openInTurn = async () => {
    while (next < SHOPS) {
      const place = next++;
      const body = { id: `shop-${place}`, instance: instanceOf(place), planner: 'dispatch:mwkr' };
      const { status, body: made } = await send(server.url, 'POST', '/shops', body);
      if (status >= 300) throw new Error(JSON.stringify(made));
      shops[place] = { ...made, time: 0 };
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, openInTurn));
  const { jobs, machines, operations } = shops[0];
  const each = ((1000 * (cpu() - used)) / SHOPS).toFixed(1);
  console.log(
    `${SHOPS} shops of ${jobs} × ${machines} (${operations} operations), opened in ${seconds(began)} s (${each} ms of processor time each); ${memory()}; ${load()}`,
  );
}

/** The name of a benchmark, or a random shop of a size. */
function instanceOf(place: number) {
  if (values.operations === undefined) return values.instance;
  const jobs = Array.from({ length: Number(values.operations) / MACHINES }, () => {
    const machines = Array.from({ length: MACHINES }, (_, machine) => machine);
    machines.forEach((machine, i) => {
      const other = i + Math.floor(chance() * (MACHINES - i));
      machines[i] = machines[other];
      machines[other] = machine;
    });
    const duration = () => 1 + Math.floor(chance() * 99);
    return { operations: machines.map((machine) => ({ machine, duration: duration() })) };
  });
  return { schema: 'alas-jssp/instance@1', name: `random-${place}`, machines: MACHINES, jobs };
}

/** Ends the service and starts it again over its shops. */
async function reopen() {
  for (const shop of shops) await tell(shop);
  await stop();
  const began = performance.now();
  server = await start();
  const listens = seconds(began);
  const { body: listed } = await send(server.url, 'GET', '/shops');
  const open = listed.filter(({ status }: { status: string }) => status === 'open').length;
  console.log(
    `started over its shops: listens after ${listens} s, lists ${open} open shops after ${seconds(began)} s; ${cpu().toFixed(1)} s of processor time, ${memory()}; ${load()}`,
  );
  if (open !== SHOPS) failed++;
  await wait(1000 * Number(values.idle));
  const used = cpu();
  console.log(
    `after ${values.idle} s without requests: ${used.toFixed(1)} s of processor time, ${memory()}`,
  );
  const first = performance.now();
  for (const { id } of shops.slice(0, 20)) {
    const { status } = await send(server.url, 'GET', `/shops/${id}`);
    if (status !== 200) failed++;
  }
  console.log(`the states of 20 shops, asked for the first time: ${seconds(first)} s`);
  for (const shop of shops) await tell(shop);
  console.log(`after an event of every shop: ${cpu().toFixed(1)} s of processor time, ${memory()}`);
}

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
  const before = processorSeconds(server.child.pid);
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
  const after = processorSeconds(server.child.pid);
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1);
  const each = (used: number) => ((1000 * used) / times.length).toFixed(2);
  console.log(
    `${rate}/s, ${count} events: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms, ${errors} errors, ${refused} refused, ` +
      `${(times.length / ((performance.now() - start) / 1000)).toFixed(1)}/s answered, ` +
      `${each(after.all - before.all)} ms of processor time an event (${each(after.main - before.main)} of the main thread), ${memory()}; ${load()}`,
  );
}

async function anHour() {
  const count = Number(values.events);
  const start = performance.now();
  const used = cpu();
  let refused = 0;
  for (let i = 0, told = 0; i < count; i += 8) {
    const answers = Array.from({ length: 8 }, (_, k) => tell(shops[(i + k) % SHOPS]));
    refused += (await Promise.all(answers)).filter((status: number) => status === REFUSED).length;
    if (i < told) continue;
    told += count / 12;
    console.log(`${i} events, ${seconds(start)} s: ${memory()}`);
  }
  console.log(
    `${count} events, ${seconds(start)} s: ${memory()}, ${failed} errors, ${refused} refused, ` +
      `${((1000 * (cpu() - used)) / (count - refused)).toFixed(2)} ms of processor time an event; ${load()}`,
  );
}

function cpu() {
  return processorSeconds(server.child.pid).all;
}

function memory() {
  return `${megabytes(server.child.pid)} MB`;
}

function load() {
  return `load ${loadavg()[0].toFixed(1)}`;
}

function seconds(since: number) {
  return ((performance.now() - since) / 1000).toFixed(1);
}
