import { InputError, suggestNames } from '@alas-jssp/core';
import type { TravelBookingFile } from '../model/travel-plan.js';

/** The faults of a booking service, as its callers see them. */
export const DESK_FAULTS = {
  down: 'it refuses every call (503)',
  busy: 'it refuses a call (503), and the next one is served',
  slow: 'it answers after two seconds',
  sold_out: 'it refuses a booking although there is room (409)',
  price_change: 'an offer costs a tenth more when it is booked (409)',
  double_booking: 'it books twice under one key',
  lost_answer: 'it books, and the connection breaks before its answer',
  lost_request: 'the connection breaks before it books',
  false_answer: 'it answers that it has booked, and has not',
  wrong_price: 'it books at a higher price than the caller agreed to',
  stuck: 'it does not cancel (503)',
} as const;

export type DeskFault = keyof typeof DESK_FAULTS;

/** A fault at a kind of bookings, at an offer, or at all; so many times. */
export interface DeskFaultRule {
  readonly fault: DeskFault;
  /** `flight`, `train`, `hotel`, `pass`, the id of an offer, or `*`. */
  readonly on: string;
  readonly times: number;
}

/** Faults that last unless a number is given. */
const LASTING: readonly DeskFault[] = ['down', 'stuck', 'slow'];

/**
 * Parses a fault such as `lost_answer:hotel:2`: its name, where, and how often.
 *
 * @throws InputError `bad_fault`
 */
export function parseDeskFault(text: string): DeskFaultRule {
  const [name = '', on = '*', count] = text.split(':');
  if (!Object.hasOwn(DESK_FAULTS, name)) {
    const hint = suggestNames(name, Object.keys(DESK_FAULTS));
    throw new InputError('bad_fault', `there is no fault '${name}'`, hint, {}, text);
  }
  const fault = name as DeskFault;
  const times =
    count === undefined ? (LASTING.includes(fault) ? Number.POSITIVE_INFINITY : 1) : Number(count);
  if (on === '' || Number.isNaN(times) || times < 1) {
    const hint = 'write it as FAULT:WHERE:TIMES, such as lost_answer:hotel:2';
    throw new InputError('bad_fault', `'${text}' is no fault`, hint, {}, text);
  }
  return { fault, on, times };
}

/** Returns a function that says whether a fault strikes, and counts it. */
export function createDeskFaults(rules: readonly DeskFaultRule[]) {
  const left = rules.map(({ times }) => times);
  return (fault: DeskFault, booking: TravelBookingFile | undefined): boolean => {
    const i = rules.findIndex(
      (rule, at) =>
        rule.fault === fault &&
        left[at] > 0 &&
        (rule.on === '*' || rule.on === booking?.kind || rule.on === booking?.offer),
    );
    if (i < 0) return false;
    left[i]--;
    return true;
  };
}
