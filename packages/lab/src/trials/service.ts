// A service that is killed under load.
//   npm run trials -- service [--trials 100] [--seed 1]
// Clients send events to its shops, each with an idempotency key, and ask again with the same key until they are
// answered. Again and again the service is killed (SIGKILL) at a random moment, and restarted over its folder. Then
// the ledger of the clients, the shops and the log must agree: no event is lost and none is doubled, every answer is
// what the log says, and every run verifies and is replayed with parity. Exits with 1 if not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSqliteStore, replayRun, verifyLog } from '@alas-jssp/workflow';
import { createShopRegistry, readStory } from 'alas-jssp/shop';
import { createChance, randomEvent, type Shop, send, startServer } from '../service/server.js';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    shops: { type: 'string', default: '6' },
    instance: { type: 'string', default: 'ft10' },
  },
});
const chance = createChance(Number(values.seed));
const data = mkdtempSync(join(tmpdir(), 'service-trials-'));
const problems: string[] = [];
/** Answers by shop and key. */
const ledger = new Map<string, { id: string; answer: { version: number } }>();
const totals = { kills: 0, events: 0, again: 0, repeated: 0 };
let server = await startServer(data);
let isOver = false;
try {
  const shops: Shop[] = [];
  for (let i = 0; i < Number(values.shops); i++) shops.push(await openShop(`shop-${i}`));
  const clients = shops.map((shop) => tellEvents(shop));
  for (let trial = 0; trial < Number(values.trials); trial++) {
    await wait(50 + chance() * 700);
    server.child.kill('SIGKILL');
    await server.ended;
    totals.kills++;
    server = await startServer(data);
  }
  isOver = true;
  await Promise.all(clients);
  await compareShops(shops);
  server.child.kill('SIGTERM');
  await server.ended;
  await compareLog(shops);
} finally {
  server.child.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
}
const { kills, events, again, repeated } = totals;
console.log(
  `${kills} kills, ${events} events answered, ${again} requests sent again, ${repeated} of them answered from the log`,
);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`events lost, doubled or answered otherwise than the log says: ${problems.length}`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function openShop(id: string): Promise<Shop> {
  const body = { id, instance: values.instance, planner: 'dispatch:mwkr' };
  const { body: made } = await send(server.url, 'POST', '/shops', body);
  return { ...made, time: 0 };
}

/** Tells a shop of one event after the other until the trials are over; each until it is answered. */
async function tellEvents(shop: Shop) {
  for (let number = 0; !isOver; number++) {
    shop.time += 1 + Math.floor(chance() * 5);
    const { id, jobs, machines, time: now } = shop;
    const events = [randomEvent(chance, { jobs, machines, now, arrives: false })];
    const key = `${id}-event-${number}`;
    for (let tries = 0; ; tries++) {
      const path = `/shops/${id}/events`;
      const headers = { 'idempotency-key': key };
      const answer = await send(server.url, 'POST', path, { events, now }, headers).catch(
        () => null,
      );
      if (answer !== null && answer.status < 300) {
        ledger.set(key, { id, answer: answer.body });
        totals.events++;
        totals.again += tries;
        if (answer.body.repeated) totals.repeated++;
        break;
      }
      if (answer !== null && answer.status !== 503) {
        // Refused before anything was written: it counts for nothing.
        if (!REFUSALS.includes(answer.body.code))
          problems.push(`${key}: ${JSON.stringify(answer.body)}`);
        break;
      }
      await wait(20);
    }
  }
}

/** Codes of events that make no sense in the shop as it is by then. */
const REFUSALS = ['before_now', 'unknown_job', 'bad_event', 'not_known_yet'];

/** The shops are where the ledger says. */
async function compareShops(shops: readonly Shop[]) {
  for (const { id } of shops) {
    const last = [...ledger.values()].filter((one) => one.id === id).at(-1);
    const { body: state } = await send(server.url, 'GET', `/shops/${id}`);
    if (last !== undefined && state.version !== last.answer.version) {
      problems.push(`${id} is at version ${state.version}, the ledger at ${last.answer.version}`);
    }
  }
}

/** The log has each event once, with the outcome that was answered, and can be replayed. */
async function compareLog(shops: readonly Shop[]) {
  const store = openSqliteStore(join(data, 'shops.db'), { mode: 'read' });
  const reported = new Map<string, number>();
  for (const { id } of shops) {
    const { turns } = readStory(store, id);
    for (const { instant, committed } of turns) {
      if (instant.key === undefined) continue;
      // Keys belong to callers: without tokens all of them are `local`.
      const key = instant.key.replace(/^local\//, '');
      if (reported.has(key)) problems.push(`${key} happened twice`);
      reported.set(key, committed?.version ?? instant.version);
    }
    const { parity } = await replayRun(store, id, { registry: createShopRegistry(store) });
    if (parity === false) problems.push(`${id} is not replayed with parity`);
  }
  for (const [key, { answer }] of ledger) {
    const version = reported.get(key);
    if (version === undefined) problems.push(`${key} is lost`);
    else if (version !== answer.version)
      problems.push(`${key} made ${version}, not ${answer.version}`);
  }
  if (reported.size !== ledger.size)
    problems.push(`${reported.size} in the log, ${ledger.size} in the ledger`);
  const { valid, faults } = verifyLog(store);
  if (!valid) problems.push(`the log does not verify: ${JSON.stringify(faults).slice(0, 200)}`);
  store.close();
}
