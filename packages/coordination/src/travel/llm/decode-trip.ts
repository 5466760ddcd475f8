import { decodeJson } from '@alas-jssp/agents';
import * as z from 'zod';
import { isDay } from '../model/moment.js';
import { roomsNeeded } from '../model/travel-cost.js';
import { readBooking, type TravelBookingFile, type TravelPlan } from '../model/travel-plan.js';
import { centsOf, type TravelProblem } from '../model/travel-problem.js';

/** A plan in the answer of a model. */
export interface DecodedTrip {
  /** Null if no booking can be read. */
  readonly plan: TravelPlan | null;
  /** The claims of the answer; the total in hundredths. */
  readonly claims: { readonly feasible: boolean | null; readonly total: number | null };
  /** Bookings that cannot be read, in words. */
  readonly unread: readonly string[];
  /** One line: why there is no plan. */
  readonly problem: string | null;
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const answerForm = z.looseObject({
  bookings: z.array(z.record(z.string(), scalar)),
  total: z.number().nullable().optional(),
  feasible: z.boolean().nullable().optional(),
});

/** Decodes the answer of a model: names of offers in any case, days of hotels also as times. It does not throw. */
export function decodeTrip(problem: TravelProblem, text: string): DecodedTrip {
  const none = { plan: null, claims: { feasible: null, total: null }, unread: [] };
  const decoded = decodeJson(text, answerForm);
  if (!decoded.ok) return { ...none, problem: decoded.problem };
  const { bookings: rows, total, feasible } = decoded.value;
  const unread: string[] = [];
  const bookings = rows.flatMap((row) => {
    const file = fileOf(problem, row);
    if (file === null) unread.push(JSON.stringify(row).slice(0, 200));
    return file === null ? [] : [readBooking(file as Parameters<typeof readBooking>[0])];
  });
  const claims = {
    feasible: feasible ?? null,
    total: total === undefined || total === null ? null : centsOf(total),
  };
  if (bookings.length === 0) return { plan: null, claims, unread, problem: 'it books nothing' };
  return {
    plan: { problem: problem.name, bookings, claimed: null },
    claims,
    unread,
    problem: null,
  };
}

type AnswerRow = z.output<typeof answerForm>['bookings'][number];

/** A row as a booking of the file format; null if it is none. Unknown offers keep their name: the judge finds them. */
function fileOf(problem: TravelProblem, row: AnswerRow): TravelBookingFile | null {
  const text = (...keys: readonly string[]) => {
    const found = keys.map((key) => row[key]).find((one) => one !== undefined && one !== null);
    return found === undefined ? '' : String(found).trim();
  };
  const kind = text('kind', 'type').toLowerCase().replace('rail ', '');
  const given = text('offer', 'id', 'offer_id');
  if (given === '' || given.length > 100) return null;
  const all = [problem.transports, problem.hotels, problem.passes];
  const offer = nameIn(
    all.flatMap((one) => [...one.keys()]),
    given,
  );
  switch (kind) {
    case 'flight':
    case 'pass':
      return { kind, offer };
    case 'train': {
      const pass = text('pass');
      if (pass === '' || pass === 'false' || pass === 'none') return { kind, offer };
      return { kind, offer, pass: nameIn([...problem.passes.keys()], pass).slice(0, 100) };
    }
    case 'hotel': {
      const [from, until] = [
        dayIn(text('from', 'check_in')),
        dayIn(text('until', 'check_out', 'to')),
      ];
      if (from === null || until === null) return null;
      const hotel = problem.hotels.get(offer);
      const rooms = Number(text('rooms'));
      const needed = hotel === undefined ? 1 : roomsNeeded(problem, hotel);
      const isCount = Number.isInteger(rooms) && rooms >= 1 && rooms <= 1000;
      return { kind, offer, from, until, rooms: isCount ? rooms : needed };
    }
    default:
      return null;
  }
}

function nameIn(names: readonly string[], given: string): string {
  return names.find((name) => name.toLowerCase() === given.toLowerCase()) ?? given;
}

/** The date in a text such as `2025-06-22` or `2025-06-22T15:00`. */
function dayIn(text: string): string | null {
  const day = text.slice(0, 10);
  return isDay(day) ? day : null;
}
