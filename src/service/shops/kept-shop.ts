import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../../core/canonical-json.js';
import type { Clock } from '../../core/clock.js';
import { AlasError, InputError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
import type { ScheduleView } from '../../harness/page/schedule-data.js';
import { viewSchedule } from '../../harness/page/schedule-view.js';
import { writePlanJson } from '../../jssp/formats/plan-json.js';
import { MAX_TIME } from '../../jssp/instance.js';
import { operationAt } from '../../jssp/plan.js';
import type { Shop } from '../../pipeline/shop/follow-shop.js';
import { readStory, readTurn, type ShopTurn } from '../../pipeline/shop/story.js';
import { tellStory } from '../../pipeline/shop/story-lines.js';
import type { ShopOutcome } from '../../pipeline/shop/waiters.js';
import type { LogStore } from '../../workflow/index.js';
import type {
  ChangeAnswer,
  DryRunAnswer,
  OutcomeAnswer,
  ReportRequest,
  ShopStateAnswer,
  ShopSummary,
  UndoRequest,
  WishRequest,
} from '../api/shop-schemas.js';
import { readWireEvent, readWireJob, readWireTime, wireTime } from '../api/wire.js';
import { emptyOutcome, outcomeOf } from './outcome-answer.js';
import { stateOf, summaryOf } from './shop-answers.js';
import { changesInLog } from './shop-changes.js';
import type { Teller } from './shop-directory.js';
import { tryOutPolicies } from './try-out.js';

/** A shop of the service, open in this thread: it answers as the directory does. */
export interface KeptShop {
  summary(): ShopSummary;
  state(next?: number): ShopStateAnswer;
  view(version?: number | 'proposal'): ScheduleView;
  plan(when?: { readonly version?: number; readonly time?: number | string }): object;
  report(request: ReportRequest, teller: Teller): Promise<OutcomeAnswer>;
  tryOut(request: ReportRequest, policies?: readonly unknown[]): Promise<DryRunAnswer>;
  wish(request: WishRequest, teller: Teller): Promise<OutcomeAnswer>;
  undo(request: UndoRequest, teller: Teller): Promise<OutcomeAnswer>;
  answer(answer: GateAnswer, teller: Teller): Promise<OutcomeAnswer>;
  close(teller: Teller): Promise<ShopSummary>;
  changesAfter(id: number): ChangeAnswer[];
  story(most?: number): readonly string[];
}

/** What somebody says of a proposal. */
export interface GateAnswer {
  readonly name: string;
  readonly approved: boolean;
  readonly reason: string;
}

/** A shop of the library, and where it is kept. */
export interface KeptShopParts {
  readonly id: string;
  readonly shop: Shop;
  readonly store: LogStore;
  readonly clock: Clock;
  /** When its log begins, in milliseconds since 1970. */
  readonly began: number;
  /** The id of the last change. */
  lastChange(): number;
  /** Settles as soon as anything is settled, waits for an approval, or has ended. */
  nextChange(): Promise<void>;
}

/** The digest of a request, which tells it from another one with the same key. */
export function digestOf(request: unknown): string {
  return sha256(canonicalJson(request)).slice(0, 16);
}

/** What the log keeps of who says something. */
export function noteOfTeller({ by, key }: Teller, request: unknown) {
  const note = { by: by.name, role: by.role };
  return key === undefined ? note : { ...note, key, asked: digestOf(request) };
}

/** Makes a shop of the library one of the service. */
export function keepShop(parts: KeptShopParts): KeptShop {
  const { id, shop, store, clock } = parts;
  const { story } = shop;
  const instance = () => shop.schedule.instance;
  const now = () => Math.max(shop.now, clockTime(parts) ?? 0);
  const tell = teller(parts);
  const turnOf = (outcome: ShopOutcome) => outcomeOf(shop, outcome.turn);
  const nowOf = (given: unknown, ats: readonly number[] = []): number => {
    const scale = instance().timeScale;
    const byClock = clockTime(parts);
    if (given === undefined) {
      if (byClock !== undefined) return Math.max(shop.now, byClock);
      return ats.length > 0 ? Math.max(...ats) : shop.now;
    }
    const time = readWireTime(scale, given, ['now']);
    if (byClock !== undefined && time > byClock + toleranceOf(parts)) {
      const problem = `now is ${wireTime(scale, time)}, and the clock of the shop shows ${wireTime(scale, byClock)}`;
      throw new InputError('bad_now', problem, 'leave now out, or give a time that has come');
    }
    return time;
  };
  const requireInTime = (time: number) => {
    if (time >= shop.now) return time;
    const scale = instance().timeScale;
    const problem = `it comes too late: now is ${wireTime(scale, time)}, and the shop is at ${wireTime(scale, shop.now)} already`;
    const cure = `give ${wireTime(scale, shop.now)} or later, or leave now and at out`;
    throw new InputError('bad_now', problem, cure);
  };
  const readReport = ({ events, now: given }: ReportRequest) => {
    const time = given === undefined ? undefined : nowOf(given);
    const scale = instance().timeScale;
    const ats = events.flatMap(({ at }, i) =>
      at === undefined ? [] : [readWireTime(scale, at, ['events', i, 'at'])],
    );
    const at = requireInTime(time ?? nowOf(undefined, ats));
    const read = events.map((event, i) => readWireEvent(instance(), event, at, ['events', i]));
    return { now: at, events: read };
  };
  const versionAsked = (version: number) => {
    if (version >= 1 && version <= shop.version) return shop.scheduleAt({ version }).schedule;
    const cure = `give one from 1 to ${shop.version}`;
    throw new InputError('no_version', `the shop ${id} has no version ${version}`, cure);
  };
  return {
    summary: () => summaryOf(shop, id, now()),
    state: (next = 3) =>
      stateOf(shop, id, { now: now(), next, wall: clock.now(), lastChange: parts.lastChange() }),
    view(version) {
      if (version !== 'proposal') {
        const schedule = version === undefined ? shop.schedule : versionAsked(version);
        return viewSchedule(schedule.instance, schedule);
      }
      const schedule = waitingTurn(shop) && shop.repairOf(waitingTurn(shop) as ShopTurn)?.schedule;
      if (schedule === undefined) throw noProposal(id, 'no proposal waits');
      return viewSchedule(schedule.instance, schedule);
    },
    plan({ version, time } = {}) {
      const schedule =
        version !== undefined
          ? versionAsked(version)
          : time !== undefined
            ? shop.scheduleAt({ time: readWireTime(instance().timeScale, time, ['time']) }).schedule
            : shop.schedule;
      return JSON.parse(writePlanJson(schedule)) as object;
    },
    report: (request, by) =>
      tell(request, by, (note) => {
        const read = readReport(request);
        return [read.now, shop.report(read.events, { now: read.now, ...note })];
      }),
    async tryOut(request, policies) {
      const read = readReport(request);
      return tryOutPolicies(shop, read, policies);
    },
    wish: (request, by) =>
      tell(request, by, (note) => {
        const starts = request.starts.map(({ job, step, start }, i) => {
          const number = readWireJob(instance(), job, ['starts', i, 'job']);
          if (operationAt(instance(), number, step - 1) < 0) {
            const problem = `${job} has no step ${step}`;
            const path = `$.starts[${i}].step`;
            throw new InputError('bad_start', problem, 'count steps from 1', { path });
          }
          const time = readWireTime(instance().timeScale, start, ['starts', i, 'start']);
          return { job: number, step: step - 1, start: time };
        });
        const at = requireInTime(nowOf(request.now));
        return [at, shop.propose(starts, { now: at, ...note })];
      }),
    undo: (request, by) =>
      tell(request, by, (note) => {
        const at = requireInTime(nowOf(request.now));
        return [at, shop.undo(request.version, { now: at, ...note })];
      }),
    async answer({ name, approved, reason }, by) {
      const answered = story.turns.findLast((turn) =>
        turn.answers.some(
          (one) => one.name === name && one.key !== undefined && one.key === by.key,
        ),
      );
      if (answered !== undefined) return outcomeOf(shop, answered, true);
      const waiting = waitingTurn(shop);
      if (waiting === undefined || waiting.approval !== name) {
        throw noProposal(id, whyNot(shop, name));
      }
      const note = noteOfTeller(by, { name, approved, reason });
      try {
        if (approved) return turnOf(await shop.approve(by.by.name, note));
        requireAnother(shop, waiting);
        return turnOf(await shop.decline(by.by.name, reason, note));
      } catch (error) {
        return failedOutcome(shop, error, shop.now);
      }
    },
    async close(by) {
      if (story.end === null) await shop.close(by.by.name, noteOfTeller(by, 'close'));
      return summaryOf(shop, id, now());
    },
    changesAfter: (after) => [...changesInLog(store, id, after, instance().timeScale)],
    story(most = 100) {
      const told = story.dropped > 0 && most > story.turns.length ? readStory(store, id) : story;
      const lines = tellStory({ ...told, turns: told.turns.slice(-most) });
      return lines;
    },
  };
}

/** Tells a shop something once, whatever becomes of it. */
function teller(parts: KeptShopParts) {
  const { shop } = parts;
  const underWay = new Map<
    string,
    { readonly asked: string; readonly answer: Promise<OutcomeAnswer> }
  >();
  const post = async (note: Note, say: Say): Promise<OutcomeAnswer> => {
    const [now, told] = say(note);
    const outcome = told.then(
      ({ turn }) => outcomeOf(shop, turn),
      (error: unknown) => failedOutcome(shop, error, now),
    );
    let isDone = false;
    const queued = async (): Promise<OutcomeAnswer> => {
      while (waitingTurn(shop) === undefined && !isDone) await parts.nextChange();
      // If the proposal is that of our own news, its outcome is there by now.
      await nextTurn();
      return emptyOutcome(shop, 'queued', now, ['a proposal waits for somebody to decide']);
    };
    return Promise.race([outcome, queued()]).finally(() => {
      isDone = true;
    });
  };
  return async (request: unknown, by: Teller, say: Say): Promise<OutcomeAnswer> => {
    const note = noteOfTeller(by, request);
    if (!('key' in note)) return post(note, say);
    const { key, asked } = note;
    const current = underWay.get(key);
    if (current !== undefined && current.asked !== asked) throw otherRequest(key);
    if (current !== undefined) return { ...(await current.answer), repeated: true };
    const answer = recall(parts, key, asked).then((known) => known ?? post(note, say));
    underWay.set(key, { asked, answer });
    return answer.finally(() => underWay.delete(key));
  };
}

type Note = ReturnType<typeof noteOfTeller>;

/** Says something to a shop, in the name of somebody: the time of the shop, and what becomes of it. */
type Say = (note: Note) => readonly [now: number, told: Promise<ShopOutcome>];

/** The outcome of a request that the log knows by its key. */
async function recall(
  parts: KeptShopParts,
  key: string,
  asked: string,
): Promise<OutcomeAnswer | undefined> {
  const { id, shop, store } = parts;
  const { story } = shop;
  const known = story.keyed.get(key);
  if (known === undefined) return undefined;
  if (known.asked !== asked) throw otherRequest(key);
  for (;;) {
    const { entry } = known;
    const turn =
      entry === undefined
        ? undefined
        : (story.turns.find((one) => one.entry === entry) ?? readTurn(store, id, entry));
    if (turn?.settled || (turn !== undefined && turn === waitingTurn(shop))) {
      return outcomeOf(shop, turn, true);
    }
    const now = turn?.happened.now ?? shop.now;
    if (story.end !== null) {
      const reasons = [story.end.error?.message ?? `the shop has ended (${story.end.status})`];
      return { ...emptyOutcome(shop, 'failed', now, reasons), repeated: true };
    }
    if (waitingTurn(shop) !== undefined) {
      const reasons = ['a proposal waits for somebody to decide'];
      return { ...emptyOutcome(shop, 'queued', now, reasons), repeated: true };
    }
    await parts.nextChange();
  }
}

/** The time of a shop whose time passes by itself. */
function clockTime({ shop, clock, began }: KeptShopParts): number | undefined {
  const settings = shop.story.input?.clock;
  if (settings === undefined || shop.story.end !== null) return undefined;
  const unit = shop.schedule.instance.timeScale?.unit ?? 1;
  const passed = ((clock.now() - began) / 1000) * settings.speed;
  return Math.min(MAX_TIME, Math.max(0, Math.floor(settings.start + passed / unit)));
}

/** The seconds on the wall by which clocks of clients may be ahead. */
const AHEAD = 60;

function toleranceOf({ shop }: KeptShopParts): number {
  const { clock } = shop.story.input ?? {};
  const unit = shop.schedule.instance.timeScale?.unit ?? 1;
  return Math.ceil((AHEAD * (clock?.speed ?? 1)) / unit);
}

/** The instant whose proposal waits. */
function waitingTurn({ story }: Shop): ShopTurn | undefined {
  return story.waitsFor?.kind === 'approval' ? story.turns.at(-1) : undefined;
}

/** Why a proposal cannot be answered. */
function whyNot({ story }: Shop, name: string): string {
  if (story.waitsFor?.kind === 'approval') return `${story.waitsFor.name} waits, not ${name}`;
  const answer = story.turns.flatMap(({ answers }) => answers).findLast((one) => one.name === name);
  if (answer === undefined) return 'no proposal waits';
  return `${answer.by} ${answer.approved ? 'approved' : 'declined'} ${name} already`;
}

function noProposal(id: string, why: string): AlasError {
  return new AlasError('no_proposal', `the shop ${id}: ${why}`);
}

/** Whether a proposal may be declined. @throws AlasError `last_proposal` */
function requireAnother({ story }: Shop, { happened, rolledBack, proposal }: ShopTurn): void {
  const methods = story.input?.policy.methods ?? [];
  if (happened.kind !== 'events' || rolledBack.length + 1 < methods.length) return;
  const message = `the proposal of ${proposal?.method} is the last: without one the shop could not go on; approve it, and propose other starts or go back after that`;
  throw new AlasError('last_proposal', message);
}

/** The outcome of what ended the shop. @throws anything else */
function failedOutcome(shop: Shop, error: unknown, now: number): OutcomeAnswer {
  if (error instanceof AlasError && error.code === 'no_repair') {
    return emptyOutcome(shop, 'failed', now, [error.message]);
  }
  throw error;
}

/** Another request with a key that one had. */
export function otherRequest(key: string): InputError {
  const problem = `the idempotency key ${JSON.stringify(key.slice(0, 80))} belongs to another request`;
  return new InputError('other_request', problem, 'give each request a key of its own');
}
