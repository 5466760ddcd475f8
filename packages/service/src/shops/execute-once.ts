import { setImmediate as nextTurn } from 'node:timers/promises';
import { AlasError } from '@alas-jssp/core/errors';
import { type CommandMeta, otherRequest, requestDigest, stepOf } from '@alas-jssp/living-plan';
import {
  formatEnd,
  formatReason,
  readTurn,
  type Sentences,
  storyWords,
} from 'alas-jssp/internal/service';
import type { Shop, ShopOutcome, ShopTurn } from 'alas-jssp/shop';
import type { OutcomeAnswer } from '../api/shop-schemas.js';
import { emptyOutcome, outcomeAnswer } from './outcome-answer.js';
import type { KeyedCaller } from './shop-directory.js';
import type { KeptShopParts } from './shop-time.js';

/** The metadata of a command for the log. */
export function commandMeta({ caller, key }: KeyedCaller, request: unknown): CommandMeta {
  const meta = { by: caller.name, role: caller.role };
  return key === undefined ? meta : { ...meta, key, digest: requestDigest(request) };
}

/** Executes commands of a shop, each idempotency key once. */
export function executeOnce(parts: KeptShopParts) {
  const { shop } = parts;
  const inFlight = new Map<
    string,
    { readonly digest: string; readonly answer: Promise<OutcomeAnswer> }
  >();
  const post = async (
    sentences: Sentences,
    meta: CommandMeta,
    send: SendCommand,
  ): Promise<OutcomeAnswer> => {
    const [now, outcomeOfShop] = send(meta);
    const outcome = outcomeOfShop.then(
      ({ turn }) => outcomeAnswer(shop, turn, sentences),
      (error: unknown) => failedOutcome(shop, error, now, sentences),
    );
    let isDone = false;
    const queued = async (): Promise<OutcomeAnswer> => {
      while (waitingTurn(shop) === undefined && !isDone) await parts.nextChange();
      // If the waiting proposal answers this command, its outcome is settled by now.
      if (!isDone) await nextTurn();
      return emptyOutcome(shop, 'queued', now, [sentences.story.proposalWaits]);
    };
    return Promise.race([outcome, queued()]).finally(() => {
      isDone = true;
    });
  };
  return async (
    sentences: Sentences,
    request: unknown,
    by: KeyedCaller,
    send: SendCommand,
  ): Promise<OutcomeAnswer> => {
    const meta = commandMeta(by, request);
    const { key, digest } = meta;
    if (key === undefined || digest === undefined) return post(sentences, meta, send);
    const current = inFlight.get(key);
    if (current !== undefined && current.digest !== digest) throw otherRequest(key);
    if (current !== undefined) return { ...(await current.answer), repeated: true };
    const answer = recall(parts, key, digest, sentences).then(
      (known) => known ?? post(sentences, meta, send),
    );
    inFlight.set(key, { digest, answer });
    return answer.finally(() => inFlight.delete(key));
  };
}

/** Sends a command with its metadata to a shop; returns its shop time and the promise of its outcome. */
type SendCommand = (meta: CommandMeta) => readonly [now: number, outcome: Promise<ShopOutcome>];

/** The outcome of an earlier request with the same key, from the log; undefined if there is none. */
async function recall(
  parts: KeptShopParts,
  key: string,
  digest: string,
  sentences: Sentences,
): Promise<OutcomeAnswer | undefined> {
  const { shop } = parts;
  const { story } = shop;
  const known = story.keyed.get(key);
  if (known === undefined) return undefined;
  if (known.digest !== digest) throw otherRequest(key);
  for (;;) {
    const { entry } = known;
    const turn = entry === undefined ? undefined : turnAt(parts, entry);
    if (turn?.settled || (turn !== undefined && turn === waitingTurn(shop))) {
      return outcomeAnswer(shop, turn, sentences, true);
    }
    const now = turn?.instant.now ?? shop.now;
    if (story.end !== null) {
      const { status, error } = story.end;
      const words = storyWords(shop.schedule.instance.timeScale, sentences);
      const reasons = [error ? formatEnd(story.end, words) : sentences.story.shopEnded(status)];
      return { ...emptyOutcome(shop, 'failed', now, reasons), repeated: true };
    }
    if (waitingTurn(shop) !== undefined) {
      const reasons = [sentences.story.proposalWaits];
      return { ...emptyOutcome(shop, 'queued', now, reasons), repeated: true };
    }
    await parts.nextChange();
  }
}

/** The instant of an entry, from the story or else from the log. */
export function turnAt(
  { id, shop, store }: Pick<KeptShopParts, 'id' | 'shop' | 'store'>,
  entry: number,
): ShopTurn | undefined {
  return shop.story.turns.find((one) => one.entry === entry) ?? readTurn(store, id, entry);
}

/** The instant that created a version. */
export function turnOfVersion(parts: KeptShopParts, version: number): ShopTurn | undefined {
  const { id, shop, store } = parts;
  const kept = shop.story.turns.find(({ committed }) => committed?.version === version);
  if (kept !== undefined) return kept;
  let entry = -1;
  for (const one of store.read({ runId: id, eventTypes: ['EndNode'] })) {
    const step = stepOf(one.nodeId);
    if (step === 'status') entry = one.version;
    const { output } = one.payload as { readonly output?: { readonly version?: number } };
    if (step === 'commit' && output?.version === version) return turnAt(parts, entry);
  }
  return undefined;
}

/** The instant whose proposal waits. */
export function waitingTurn({ story }: Shop): ShopTurn | undefined {
  return story.waitsFor?.kind === 'approval' ? story.turns.at(-1) : undefined;
}

/** The outcome if no repair was found and the shop ended. @throws any other error */
export function failedOutcome(
  shop: Shop,
  error: unknown,
  now: number,
  sentences: Sentences,
): OutcomeAnswer {
  if (error instanceof AlasError && error.code === 'no_repair') {
    const words = storyWords(shop.schedule.instance.timeScale, sentences);
    const reason = formatReason({ code: error.code, reason: error.message }, words);
    return emptyOutcome(shop, 'failed', now, [reason]);
  }
  throw error;
}
