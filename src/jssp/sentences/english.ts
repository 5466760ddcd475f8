import { type LanguageNumbers, numbersIn } from '@alas-jssp/core/counted';
import type { Language } from '@alas-jssp/core/languages';
import { type ClockWords, ENGLISH_CLOCK } from '../shop-clock.js';
import type { ProblemSentences } from './problems.js';

// The sentences about plans, repairs and the history of a shop. Each is a function of numbers and of names in the shop.
// Every language defines the same sentences.

const numbers: LanguageNumbers = { ...numbersIn('en'), number: String };
const { counted } = numbers;
const operations = (count: number) => counted(count, { one: 'operation', other: 'operations' });

/** A breakdown in the form that a phrase needs; times are texts. */
export interface BreakdownPhrase {
  /** `Lathe 1 and Lathe 2`. */
  readonly machines: string;
  /** When it begins, if later than its report. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isEstimated: boolean;
  readonly isWorkLost: boolean;
}

/** The sentences about shops in English. */
export const english = {
  language: 'en' as Language,
  clock: ENGLISH_CLOCK as ClockWords,
  numbers,
  someone: 'someone',

  /** Names of unnamed items. Jobs, steps and resources count from 1, machines from 0. */
  names: {
    job: (number: number) => `job ${number}`,
    machine: (number: number) => `machine ${number}`,
    step: (number: number) => `step ${number}`,
    resource: (number: number) => `resource ${number}`,
    /** `Lathe 1, Lathe 2 and Mill`. */
    list: (names: readonly string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
    /** `Lathe 1, Lathe 2 or Mill`. */
    oneOf: (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    machines: (numbers: string) => `machines ${numbers}`,
    countedMachines: (count: number) => counted(count, { one: 'machine', other: 'machines' }),
  },

  plan: {
    makespan: (time: string) => `makespan ${time}`,
    makespanChange: (before: string, after: string) => `makespan ${before} → ${after}`,
    end: (time: string) => `all done by ${time}`,
    asBefore: 'as before',
    insteadOf: (time: string) => `instead of ${time}`,
    afterShifts: (until: string, end: string) =>
      `shifts are known until ${until}: work after it, up to ${end}, is planned day and night; import again with a later --horizon`,
  },

  /** An operation that was moved, and why. */
  moves: {
    starts: (operation: string, time: string, why: string) =>
      `${operation} starts at ${time}: ${why}`,
    waits: (operation: string, duration: string, why: string) =>
      `${operation} waits ${duration}: ${why}`,
    earlier: (operation: string, duration: string, why: string) =>
      `${operation} starts ${duration} earlier: ${why}`,
    reassigned: (operation: string, from: string, to: string, time: string, why: string) =>
      `${operation} moves from ${from} to ${to}, at ${time}: ${why}`,
    cannotStart: (operation: string, wish: string, start: string) =>
      `${operation} cannot start at ${wish}, but at ${start}`,
  },

  /** Reasons for moves, by cause. */
  causes: {
    job: (other: string) => `it follows ${other} in its job`,
    machine: (other: string, machine: string) => `it follows ${other} on ${machine}`,
    place: (machine: string) => `it has another place in the queue of ${machine}`,
    earlier: 'there is room for it earlier',
    reassigned: (machine: string) => `${machine} has room for it`,
    handedOver: (to: string) => `${to} can do it`,
    otherMode: (machine: string) => `it is done in another way on ${machine}`,
    limit: 'its place follows from what is pinned',
    later: 'it moved with all others',
    new: 'its job has just arrived',
    undo: (version: number) => `the shop goes back to version ${version}`,
    withdrawal: (version: number) => `the report of version ${version} was withdrawn`,
    byHand: (name: string) => `${name} proposed starts`,
  },

  /** Events as reasons. */
  effects: {
    down: (machine: string, until: string) => `${machine} is down until ${until}`,
    willBeDown: (machine: string, from: string, to: string) =>
      `${machine} will be down from ${from} to ${to}`,
    restored: (machine: string) => `${machine} is back`,
    factor: (operation: string, factor: number) => `${operation} takes ${factor} times as long`,
    takes: (operation: string, duration: string) => `${operation} takes ${duration}`,
    arrival: (job: string | null) => `${job ?? 'a job'} has arrived`,
    cancellation: (job: string) => `${job} was cancelled`,
    delay: (operation: string, until: string) => `${operation} is delayed until ${until}`,
    capacity: (resource: string, amount: number, from: string, to: string) =>
      amount === 0
        ? `${resource} is not there from ${from} to ${to}`
        : `${resource} has a capacity of ${amount} from ${from} to ${to}`,
    alternative: (machine: string, operation: string) => `${machine} may do ${operation} now`,
  },

  /** Pins that a repair does not keep. */
  pins: {
    pin: (operation: string, time: string) => `${operation} at ${time}`,
    lost: (pin: string, why: string) => `the start of ${pin} is not kept: ${why}`,
    earliest: (time: string) => `it cannot start before ${time}`,
    conflict: (pins: string) => `no schedule keeps it together with ${pins}`,
    queue: 'no schedule keeps it and the queues of the untouchable machines',
    'not-found': 'no schedule was found that keeps it, and whether there is one is not known',
    method: (method: string) => `the method ${method} ignores pins`,
  },

  /** Events in the history of a shop. */
  events: {
    breakdown({ machines, from, to, isEstimated, isWorkLost }: BreakdownPhrase) {
      const down = from === null ? 'broke down' : `will be down from ${from}`;
      const end = to === null ? '' : ` ${from === null ? 'until' : 'to'} ${to}`;
      const mark = to !== null && isEstimated ? ' (estimated)' : '';
      return `${machines} ${down}${end}${mark}${isWorkLost ? ', its work is lost' : ''}`;
    },
    restored: (machine: string) => `${machine} is back`,
    /** ` step 2` of a job, or `, turning`. */
    step: (job: string, step: string | number | null) => {
      if (step === null) return job;
      return typeof step === 'string' ? `${job}, ${step}` : `${job} step ${step}`;
    },
    takes: (operation: string, duration: string) => `${operation} takes ${duration}`,
    factor: (operation: string, factor: number) => `${operation} takes ${factor} times as long`,
    arrival: (job: string | null, count: number) =>
      `${job === null ? 'a job' : `the job ${job}`} arrived with ${operations(count)}`,
    cancellation: (job: string) => `${job} was cancelled`,
    delay: (operation: string, until: string) => `${operation} is delayed until ${until}`,
    capacity: (resource: string, amount: number, from: string | null, to: string | null) => {
      const what = amount === 0 ? 'is not there' : `has a capacity of ${amount}`;
      const begin = from === null ? '' : ` from ${from}`;
      return `${resource} ${what}${begin}${to === null ? '' : ` until ${to}`}`;
    },
    alternative: (machine: string, operation: string, duration: string) =>
      `${machine} may do ${operation} in ${duration}`,
  },

  story: {
    plan: (end: string | null) =>
      `version 1 is the plan${end === null ? '' : `, all done by ${end}`}`,
    closed: (by: string | null) => `closed${by === null ? '' : ` by ${by}`}`,
    at: (time: string, news: string) => `at ${time} ${news}`,
    version: (version: number) => `version ${version}`,
    approvedBy: (name: string) => `, approved by ${name}`,
    unopposed: ', which no one objected to in time',
    waits: (approval: string) => `${approval} waits for an approval`,
    skipped: (reason: string) => `too late or refused: ${reason}`,
    byRow: (row: string) => `repaired by the row ${row}`,
    lost: (count: number) => `${operations(count)} must start again`,
    started: (count: number) =>
      `${operations(count)} ${count === 1 ? 'has started and stays' : 'have started and stay'}`,
    notAccepted: (method: string, reason: string) => {
      const what = method === 'by hand' ? 'the proposal by hand' : `the repair by ${method}`;
      return `${what} was not accepted: ${reason}`;
    },
    moved: (count: number, method: string | null) => {
      const what = count === 0 ? 'nothing' : operations(count);
      return `${method === null ? '' : `by ${method} `}${what} ${count > 1 ? 'move' : 'moves'}`;
    },
    placed: (count: number) => `${count} new ${count === 1 ? 'one is' : 'ones are'} placed`,
    kept: (count: number, version: number) =>
      `${operations(count)} could not go back to version ${version}`,
    undo: (who: string, version: number | null) =>
      version === null ? `${who} wanted to go back` : `${who} went back to version ${version}`,
    wantedToUndo: (who: string, version: number) =>
      `${who} wanted to go back to version ${version}`,
    propose: (who: string) => `${who} proposed starts`,
    withdrew: (who: string, version: number, what: string, instead: string) =>
      `${who} withdrew the report of version ${version} (${what})${instead === '' ? '' : `; instead ${instead}`}`,
    wantedToWithdraw: (who: string, version: number) =>
      `${who} wanted to withdraw the report of version ${version}`,
    ended: (why: string) => `ended: ${why}`,
    waitsForApproval: (name: string) => `it waits for the approval ${name}`,
    waitsForCommand: 'it waits for commands',
    interrupted: 'it was interrupted, or is still running',
    proposalWaits: 'a proposal waits for a decision',
    shopEnded: (status: string) => `the shop has ended (${status})`,
  },

  /** Sentences for errors by code; null: the original texts are used. */
  problems: null as ProblemSentences | null,
};

/** The sentences about shops in a language. */
export type Sentences = typeof english;
