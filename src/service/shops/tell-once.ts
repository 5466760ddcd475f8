import { setImmediate as nextTurn } from 'node:timers/promises';
import { AlasError } from '../../core/errors.js';
import type { Sentences } from '../../jssp/sentences/english.js';
import type { Shop } from '../../pipeline/shop/follow-shop.js';
import { otherRequest, requestDigest } from '../../pipeline/shop/news.js';
import { stepOf } from '../../pipeline/shop/shop-memory.js';
import type { TellerNote } from '../../pipeline/shop/shop-values.js';
import { readTurn, type ShopTurn } from '../../pipeline/shop/story.js';
import { storyWords, tellEnd, tellReason } from '../../pipeline/shop/story-lines.js';
import type { ShopOutcome } from '../../pipeline/shop/waiters.js';
import type { OutcomeAnswer } from '../api/shop-schemas.js';
import { emptyOutcome, outcomeAnswer } from './outcome-answer.js';
import type { Teller } from './shop-directory.js';
import type { KeptShopParts } from './shop-time.js';

/** The note of a teller, for the log. */
export function tellerNote({ by, key }: Teller, request: unknown): TellerNote {
  const note = { by: by.name, role: by.role };
  return key === undefined ? note : { ...note, key, asked: requestDigest(request) };
}

/** Tells a shop something once, whatever becomes of it. */
export function tellOnce(parts: KeptShopParts) {
  const { shop } = parts;
  const underWay = new Map<
    string,
    { readonly asked: string; readonly answer: Promise<OutcomeAnswer> }
  >();
  const post = async (sentences: Sentences, note: TellerNote, say: Say): Promise<OutcomeAnswer> => {
    const [now, told] = say(note);
    const outcome = told.then(
      ({ turn }) => outcomeAnswer(shop, turn, sentences),
      (error: unknown) => failedOutcome(shop, error, now, sentences),
    );
    let isDone = false;
    const queued = async (): Promise<OutcomeAnswer> => {
      while (waitingTurn(shop) === undefined && !isDone) await parts.nextChange();
      // If the proposal is that of our own news, its outcome is there by now.
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
    by: Teller,
    say: Say,
  ): Promise<OutcomeAnswer> => {
    const note = tellerNote(by, request);
    const { key, asked } = note;
    if (key === undefined || asked === undefined) return post(sentences, note, say);
    const current = underWay.get(key);
    if (current !== undefined && current.asked !== asked) throw otherRequest(key);
    if (current !== undefined) return { ...(await current.answer), repeated: true };
    const answer = recall(parts, key, asked, sentences).then(
      (known) => known ?? post(sentences, note, say),
    );
    underWay.set(key, { asked, answer });
    return answer.finally(() => underWay.delete(key));
  };
}

/** Says something to a shop, in the name of somebody: the time of the shop, and what becomes of it. */
type Say = (note: TellerNote) => readonly [now: number, told: Promise<ShopOutcome>];

/** The outcome of a request that the log knows by its key. */
async function recall(
  parts: KeptShopParts,
  key: string,
  asked: string,
  sentences: Sentences,
): Promise<OutcomeAnswer | undefined> {
  const { shop } = parts;
  const { story } = shop;
  const known = story.keyed.get(key);
  if (known === undefined) return undefined;
  if (known.asked !== asked) throw otherRequest(key);
  for (;;) {
    const { entry } = known;
    const turn = entry === undefined ? undefined : turnAt(parts, entry);
    if (turn?.settled || (turn !== undefined && turn === waitingTurn(shop))) {
      return outcomeAnswer(shop, turn, sentences, true);
    }
    const now = turn?.happened.now ?? shop.now;
    if (story.end !== null) {
      const { status, error } = story.end;
      const words = storyWords(shop.schedule.instance.timeScale, sentences);
      const reasons = [error ? tellEnd(story.end, words) : sentences.story.shopEnded(status)];
      return { ...emptyOutcome(shop, 'failed', now, reasons), repeated: true };
    }
    if (waitingTurn(shop) !== undefined) {
      const reasons = [sentences.story.proposalWaits];
      return { ...emptyOutcome(shop, 'queued', now, reasons), repeated: true };
    }
    await parts.nextChange();
  }
}

/** The instant that an entry tells of: one that is kept, or else from the log. */
export function turnAt(
  { id, shop, store }: Pick<KeptShopParts, 'id' | 'shop' | 'store'>,
  entry: number,
): ShopTurn | undefined {
  return shop.story.turns.find((one) => one.entry === entry) ?? readTurn(store, id, entry);
}

/** The instant that made a version. */
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

/** The outcome of what ended the shop. @throws anything else */
export function failedOutcome(
  shop: Shop,
  error: unknown,
  now: number,
  sentences: Sentences,
): OutcomeAnswer {
  if (error instanceof AlasError && error.code === 'no_repair') {
    const words = storyWords(shop.schedule.instance.timeScale, sentences);
    const reason = tellReason({ code: error.code, reason: error.message }, words);
    return emptyOutcome(shop, 'failed', now, [reason]);
  }
  throw error;
}
