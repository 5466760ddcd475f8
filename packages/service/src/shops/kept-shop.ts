import { AlasError, type ErrorFacts, InputError } from '@alas-jssp/core/errors';
import type { Language } from '@alas-jssp/core/languages';
import { type CommandMeta, otherRequest } from '@alas-jssp/living-plan';
import { type Sentences, viewSchedule } from 'alas-jssp/internal/service';
import { type Instance, operationAt } from 'alas-jssp/jssp';
import type { ProposalView, ScheduleView } from 'alas-jssp/page';
import {
  formatStory,
  policyOfRow,
  type RepairRow,
  readStory,
  type Shop,
  type ShopTurn,
  type WishedStart,
} from 'alas-jssp/shop';
import type {
  ChangeAnswer,
  MovesAnswer,
  OutcomeAnswer,
  ReportRequest,
  ShopStateAnswer,
  ShopSummary,
  UndoRequest,
  WishRequest,
  WithdrawalRequest,
} from '../api/shop-schemas.js';
import { readWireJob, readWireMachine, readWireTime, wirePlan } from '../api/wire.js';
import { SENTENCES } from '../sentences.js';
import {
  commandMeta,
  executeOnce,
  failedOutcome,
  turnAt,
  turnOfVersion,
  waitingTurn,
} from './execute-once.js';
import { viewMoves, wireMoves } from './moves.js';
import { causeOfTurn, outcomeAnswer } from './outcome-answer.js';
import { type ClampedPolicy, clampPolicy } from './policy-limits.js';
import { shopState, shopSummary } from './shop-answers.js';
import { changesInLog, lastChangesInLog } from './shop-changes.js';
import type { KeyedCaller, ShopSchedule } from './shop-directory.js';
import { createShopTime, type KeptShopParts } from './shop-time.js';
import { type ShopTrial, trialOf } from './shop-trial.js';

/** An open shop of the service in this thread, with the operations of the directory. */
export interface KeptShop {
  /** The same shop with sentences in a language. */
  in(language: Language): KeptShop;
  summary(): ShopSummary;
  state(next?: number): ShopStateAnswer;
  view(version?: number | 'proposal'): ScheduleView | ProposalView;
  moves(version?: number | 'proposal', from?: number): MovesAnswer;
  plan(when?: { readonly version?: number; readonly time?: number | string }): object;
  schedule(version?: number): ShopSchedule;
  report(request: ReportRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  /** The input of a dry run of events or starts, which another thread computes. */
  trial(request: ReportRequest | WishRequest): ShopTrial;
  wish(request: WishRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  undo(request: UndoRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  withdraw(request: WithdrawalRequest, by: KeyedCaller): Promise<OutcomeAnswer>;
  answer(answer: ProposalDecision, by: KeyedCaller): Promise<OutcomeAnswer>;
  close(by: KeyedCaller): Promise<ShopSummary>;
  changesAfter(id: number): ChangeAnswer[];
  lastChanges(instants?: number): ChangeAnswer[];
  story(most?: number): readonly string[];
}

/** The decision on a proposal, and its reason. */
interface ProposalDecision {
  readonly name: string;
  readonly approved: boolean;
  readonly reason: string;
}

/** Wraps a shop of the library for the service, with English sentences. */
export function keepShop(parts: KeptShopParts): KeptShop {
  return answerIn(SENTENCES.en, parts, executeOnce(parts));
}

function answerIn(
  sentences: Sentences,
  parts: KeptShopParts,
  executeCommand: ReturnType<typeof executeOnce>,
): KeptShop {
  const { id, shop, store, clock } = parts;
  const { story } = shop;
  const instance = () => shop.schedule.instance;
  const time = createShopTime(parts);
  const { now } = time;
  const execute = (request: unknown, by: KeyedCaller, send: Parameters<typeof executeCommand>[3]) =>
    executeCommand(sentences, request, by, send);
  const movesIn = (turn: ShopTurn) => ({ because: causeOfTurn(turn, sentences), sentences });
  const versionAsked = (version: number) => {
    if (version >= 1 && version <= shop.version) return shop.scheduleAt({ version }).schedule;
    const hint = `give one from 1 to ${shop.version}`;
    const problem = `the shop ${id} has no version ${version}`;
    throw new InputError('no_version', problem, hint, {}, version, { version });
  };
  return {
    in: (language) => answerIn(SENTENCES[language], parts, executeCommand),
    summary: () => shopSummary(shop, id, now()),
    state: (next = 3) =>
      shopState(shop, id, {
        now: now(),
        next,
        wall: clock.now(),
        lastChange: parts.lastChange(),
        sentences,
      }),
    view(version) {
      if (version !== 'proposal') {
        const schedule = version === undefined ? shop.schedule : versionAsked(version);
        return viewSchedule(schedule.instance, schedule);
      }
      const turn = waitingTurn(shop);
      const repair = turn && shop.repairOf(turn);
      if (repair === undefined) throw noProposal(id, 'no proposal waits');
      const { schedule } = repair;
      const moves = viewMoves(repair, movesIn(turn as ShopTurn));
      return { ...viewSchedule(schedule.instance, schedule), moves };
    },
    moves(version = shop.version, from = 0) {
      const turn = version === 'proposal' ? waitingTurn(shop) : turnOfVersion(parts, version);
      const repair = turn && shop.repairOf(turn);
      if (version === 'proposal' && repair === undefined) throw noProposal(id, 'no proposal waits');
      if (version !== 'proposal') versionAsked(version);
      const number = version === 'proposal' ? shop.version + 1 : version;
      if (repair === undefined) return { version: number, moved: 0, moves: [], next: null };
      const { more, ...listed } = wireMoves(repair, { ...movesIn(turn as ShopTurn), from });
      const next = more > 0 ? from + listed.moves.length : null;
      return { version: number, ...listed, next };
    },
    plan({ version, time: asked } = {}) {
      const schedule =
        version !== undefined
          ? versionAsked(version)
          : asked !== undefined
            ? shop.scheduleAt({ time: readWireTime(instance().timeScale, asked, ['time']) })
                .schedule
            : shop.schedule;
      return wirePlan(schedule);
    },
    schedule(version = shop.version) {
      const { instance: of, start } = versionAsked(version);
      return { instance: of, start, version, stamp: clock.now() };
    },
    async report(request, by) {
      const { row } = request;
      const outcome = await execute(request, by, (meta) => {
        const read = time.readReport(request);
        return [read.now, shop.report(read.events, { now: read.now, row, ...meta })];
      });
      return row === undefined ? outcome : { ...outcome, clamped: [...clampedIn(parts, row)] };
    },
    trial(request) {
      const { language } = sentences;
      if ('events' in request) {
        return trialOf(shop, { ...time.readReport(request), row: request.row, language });
      }
      requireVersion(shop, request);
      const wished = readStarts(instance(), request);
      return trialOf(shop, { now: time.read(request.now), events: [], wished, language });
    },
    wish: (request, by) =>
      execute(request, by, (meta) => {
        requireVersion(shop, request);
        const starts = readStarts(instance(), request);
        const at = time.read(request.now);
        return [at, shop.propose(starts, { now: at, ...meta })];
      }),
    undo: (request, by) =>
      execute(request, by, (meta) => {
        const at = time.read(request.now);
        return [at, shop.undo(request.version, { now: at, ...meta })];
      }),
    withdraw: (request, by) =>
      execute(request, by, (meta) => {
        const at = time.read(request.now);
        const instead = time.readEvents(request.instead ?? [], at);
        return [at, shop.withdraw(request.version, { now: at, instead, ...meta })];
      }),
    async answer({ name, approved, reason }, by) {
      const meta = commandMeta(by, { name, approved, reason });
      const answered = answeredBefore(parts, meta);
      const decided = (turn: ShopTurn, repeated: boolean): OutcomeAnswer => {
        const outcome = outcomeAnswer(shop, turn, sentences, repeated);
        // After a decline, the committed version is the delayed plan, not the declined proposal.
        return approved ? outcome : { ...outcome, status: 'declined' };
      };
      if (answered !== undefined) return decided(answered, true);
      const waiting = waitingTurn(shop);
      if (waiting === undefined || waiting.approval !== name) {
        throw noProposal(id, ...whyNot(shop, name));
      }
      try {
        if (approved) return decided((await shop.approve(by.caller.name, meta)).turn, false);
        return decided((await shop.decline(by.caller.name, reason, meta)).turn, false);
      } catch (error) {
        return failedOutcome(shop, error, shop.now, sentences);
      }
    },
    async close(by) {
      if (waitingTurn(shop) !== undefined) throw closedLater(shop, id, 'decide on it first');
      if (story.end === null) await closeShop(parts, by);
      return shopSummary(shop, id, now());
    },
    changesAfter: (after) => [...changesInLog(store, id, after, instance(), sentences)],
    lastChanges: (instants = 100) => lastChangesInLog(store, id, instants, instance(), sentences),
    story(most = 100) {
      const full = story.dropped > 0 && most > story.turns.length ? readStory(store, id) : story;
      const turns = most === 0 ? [] : full.turns.slice(-most);
      const lines = formatStory({ ...full, turns }, sentences);
      // The first line describes the plan, which is irrelevant if instants are omitted.
      return turns.length < full.turns.length + full.dropped ? lines.slice(1) : lines;
    },
  };
}

/** Reads manually proposed starts. @throws InputError `unknown_job`, `unknown_machine`, `bad_start`, `bad_time` */
function readStarts(instance: Instance, { starts }: WishRequest): WishedStart[] {
  return starts.map(({ job, step, start, machine }, i) => {
    const number = readWireJob(instance, job, ['starts', i, 'job']);
    if (operationAt(instance, number, step - 1) < 0) {
      const problem = `${job} has no step ${step}`;
      const path = `$.starts[${i}].step`;
      throw new InputError('bad_start', problem, 'count steps from 1', { path });
    }
    const at = readWireTime(instance.timeScale, start, ['starts', i, 'start']);
    const wish = { job: number, step: step - 1, start: at };
    if (machine === undefined) return wish;
    return { ...wish, machine: readWireMachine(instance, machine, ['starts', i, 'machine']) };
  });
}

/** Refuses starts for another version than the followed one. @throws AlasError `other_version` */
function requireVersion(shop: Shop, { version }: WishRequest): void {
  if (version === undefined || version === shop.version) return;
  const message = `the starts are for version ${version}, and version ${shop.version} is followed`;
  const facts = { version, followed: shop.version };
  throw new AlasError('other_version', message, version, facts);
}

/** The settings of a row that the service reduces; those of the shop's own policy were reduced when it was opened. */
function clampedIn({ shop, seconds }: KeptShopParts, row: RepairRow): ClampedPolicy['clamped'] {
  const own = shop.story.input?.policy;
  if (own === undefined || row === 'shop') return [];
  return clampPolicy(policyOfRow(own, row), seconds, shop.schedule.instance).clamped;
}

/** Closes a shop, unless a proposal waits before. @throws AlasError `proposal_waits` */
async function closeShop(parts: KeptShopParts, by: KeyedCaller): Promise<void> {
  const { id, shop } = parts;
  const closed = shop.close(by.caller.name, commandMeta(by, 'close'));
  const waits = async () => {
    while (shop.story.end === null) {
      if (waitingTurn(shop)) throw closedLater(shop, id, 'the shop closes after the decision');
      await parts.nextChange();
    }
  };
  await Promise.race([closed, waits()]);
  await closed;
}

function closedLater({ story }: Shop, id: string, hint: string): AlasError {
  const name = story.waitsFor?.kind === 'approval' ? story.waitsFor.name : 'a proposal';
  return new AlasError('proposal_waits', `the shop ${id}: ${name} waits; ${hint}`);
}

/**
 * The instant of the proposal that an earlier request with the same key answered.
 *
 * @throws InputError `other_request` if its key belongs to another
 */
function answeredBefore(
  { id, shop, store }: KeptShopParts,
  { key, digest }: CommandMeta,
): ShopTurn | undefined {
  const known = key === undefined ? undefined : shop.story.keyed.get(key);
  if (key === undefined || known === undefined) return undefined;
  if (known.digest !== digest || known.entry === undefined) throw otherRequest(key);
  return turnAt({ id, shop, store }, known.entry);
}

/** Why a proposal cannot be answered, as a sentence and facts. */
function whyNot({ story }: Shop, name: string): readonly [string, ErrorFacts?] {
  if (story.waitsFor?.kind === 'approval') return [`${story.waitsFor.name} waits, not ${name}`];
  const answer = story.turns.flatMap(({ answers }) => answers).findLast((one) => one.name === name);
  if (answer === undefined) return ['no proposal waits'];
  const { by, approved } = answer;
  return [`${by} ${approved ? 'approved' : 'declined'} ${name} already`, { by, approved }];
}

function noProposal(id: string, why: string, facts?: ErrorFacts): AlasError {
  return new AlasError('no_proposal', `the shop ${id}: ${why}`, undefined, facts);
}
