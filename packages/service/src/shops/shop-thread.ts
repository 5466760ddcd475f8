import { nextTick } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { packError } from '@alas-jssp/core/sent-error';
import { isOwnerGone, openSqliteStore } from '@alas-jssp/workflow';
import { createBusyMarks } from './busy-marks.js';
import {
  callShop,
  type ShopCall,
  type ShopThreadMessage,
  type ShopThreadOrder,
  type ShopThreadTask,
  threadOf,
} from './shop-calls.js';
import { createShopHost } from './shop-host.js';
import { warmUpShops } from './warm-up-shops.js';

if (parentPort !== null) {
  const port = parentPort;
  // Messages of one event loop turn are sent together: each post wakes the other thread.
  let outbox: ShopThreadMessage[] = [];
  const send = () => {
    const messages = outbox;
    outbox = [];
    port.postMessage(messages);
  };
  const post = (message: ShopThreadMessage) => {
    if (outbox.push(message) === 1) nextTick(send);
  };
  const { file, place, threads, mostOperations, owner, gone, busy, seconds, quarantined } =
    workerData as ShopThreadTask;
  const closed = new Set(quarantined);
  const host = createShopHost({
    store: openSqliteStore(file),
    mostOperations,
    owner,
    seconds,
    marks: createBusyMarks(busy),
    isQuarantined: (id) => closed.has(id),
    isGone: (other) => gone.includes(other) || isOwnerGone(other),
    isMine: (id) => threadOf(id, threads) === place,
    onChange: (...args) => post({ kind: 'change', args }),
    onTrouble: (shop, error) => post({ kind: 'trouble', shop, failure: packError(error) }),
  });
  const answer = async (call: ShopCall): Promise<void> => {
    const { number } = call;
    try {
      post({ kind: 'answer', number, value: await callShop(host, call) });
    } catch (error) {
      post({ kind: 'failure', number, failure: packError(error) });
    }
  };
  port.on('message', (order: ShopThreadOrder) => {
    if (order.kind === 'call') void answer(order);
    else if (order.kind === 'release') closed.delete(order.shop);
    else {
      void host.stop().finally(() => {
        send();
        port.close();
      });
    }
  });
  // After the number of its shops was sent, an idle thread warms up.
  void host
    .recover((shops) => post({ kind: 'opening', shops }))
    .then(() => nextTurn())
    .then(warmUpShops);
}
