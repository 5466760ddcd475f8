import { beginsAt } from '../judge/judge-travel.js';
import { DAY } from '../model/moment.js';
import { priceOfBooking, roomsNeeded, timesBroken, weightOf } from '../model/travel-cost.js';
import type { HotelBooking, TravelBooking } from '../model/travel-plan.js';
import type { Hotel, TravelProblem } from '../model/travel-problem.js';

/** A way to spend the nights of a stay. */
export interface StayOption {
  readonly bookings: readonly HotelBooking[];
  readonly money: number;
  readonly cost: number;
}

/** The times of a stay: local minutes, and days of its first night and of the departure. */
export interface StayTimes {
  readonly city: string;
  readonly atHotel: number;
  readonly leave: number;
  readonly from: number;
  readonly until: number;
}

/** The limits of new bookings: kept ones, and the minute in UTC before which nothing can begin. */
export interface TripLimits {
  readonly kept: readonly TravelBooking[];
  readonly now: number;
}

/** All ways to spend the nights of a stay in one hotel, none of which is cheaper and as good as another. */
export function stayOptions(
  problem: TravelProblem,
  times: StayTimes,
  { kept, now }: TripLimits,
): StayOption[] {
  const { city, from, until } = times;
  const here = kept.filter(
    (one): one is HotelBooking =>
      one.kind === 'hotel' && problem.hotels.get(one.offer)?.city === city,
  );
  // A kept booking is used on all its nights.
  if (here.some((one) => one.from < from || one.until > until)) return [];
  const options: StayOption[] = [];
  for (const hotel of problem.hotels.values()) {
    if (hotel.city !== city || here.some(({ offer }) => offer !== hotel.id)) continue;
    if (times.atHotel > DAY * from + hotel.checkIn[1]) continue;
    if (times.leave < DAY * until + hotel.leaveFrom) continue;
    const bookings = bookingsFor(problem, hotel, times, here, now);
    if (bookings !== null) options.push(optionOf(problem, bookings));
  }
  return options.filter(
    (one, i) =>
      !options.some(
        (other, k) =>
          other.money <= one.money &&
          other.cost <= one.cost &&
          (other.money < one.money || other.cost < one.cost || k < i),
      ),
  );
}

/** The bookings of a hotel for all nights, kept ones among them; null if a night is not free. */
function bookingsFor(
  problem: TravelProblem,
  hotel: Hotel,
  { from, until }: StayTimes,
  kept: readonly HotelBooking[],
  now: number,
): HotelBooking[] | null {
  const rooms = roomsNeeded(problem, hotel);
  const bookings: HotelBooking[] = [];
  const sorted = kept.toSorted((a, b) => a.from - b.from);
  const book = (first: number, end: number): boolean => {
    if (first >= end) return true;
    for (let day = first; day < end; day++) {
      const night = hotel.nights.get(day);
      if (night === undefined || night.rooms < rooms) return false;
    }
    const booking: HotelBooking = {
      kind: 'hotel',
      offer: hotel.id,
      from: first,
      until: end,
      rooms,
      says: {},
    };
    bookings.push(booking);
    return (beginsAt(problem, booking) ?? now) >= now;
  };
  let day = from;
  for (const one of sorted) {
    if (one.from < day || !book(day, one.from)) return null;
    bookings.push(one);
    day = one.until;
  }
  return book(day, until) ? bookings : null;
}

function optionOf(problem: TravelProblem, bookings: readonly HotelBooking[]): StayOption {
  let [money, penalty] = [0, 0];
  for (const booking of bookings) {
    money += priceOfBooking(problem, booking) ?? 0;
    for (const preference of problem.preferences) {
      penalty += timesBroken(problem, preference, booking) * weightOf(preference);
    }
  }
  return { bookings, money, cost: money + penalty };
}
