// An oracle for trips, written from docs/how-to/travel.md without any code of the package: it has its own calendar (the
// one of JavaScript), goes through the journey night by night, and keeps its own list of rules.
import type { TravelPlanFile } from '../../src/travel/model/travel-plan.js';
import type { TravelFile } from '../../src/travel/model/travel-schema.js';

type Booking = TravelPlanFile['bookings'][number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NIGHT = 24 * HOUR;

/** The instant of a local time, as if its clock were that of UTC. */
const clock = (text: string) => Date.parse(`${text}:00Z`);
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayName = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** The rules that a plan breaks, by name, and its price and cost in the currency of the trip. */
export interface OracleVerdict {
  readonly broken: ReadonlySet<string>;
  readonly money: number;
  readonly cost: number;
}

interface Move {
  readonly mode: 'train' | 'flight';
  readonly from: string;
  readonly to: string;
  readonly departs: number;
  readonly arrives: number;
  readonly absolute: number;
}

/** Judges a plan from the files alone. */
export function travelOracle(trip: TravelFile, bookings: readonly Booking[]): OracleVerdict {
  const broken = new Set<string>();
  const { offers, travellers } = trip;
  const count = travellers.length;
  const offset = (city: string) =>
    (trip.cities.find(({ id }) => id === city)?.utc_offset ?? 0) * MINUTE;
  const flights = new Map((offers.flights ?? []).map((one) => [one.id, one]));
  const trains = new Map((offers.trains ?? []).map((one) => [one.id, one]));
  const hotels = new Map((offers.hotels ?? []).map((one) => [one.id, one]));
  const passes = new Map((offers.passes ?? []).map((one) => [one.id, one]));
  let [money, fines] = [0, 0];
  const wishes = trip.preferences ?? [];
  const wish = (kind: string, times: number) => {
    for (const one of wishes) {
      if (one.kind !== kind || times <= 0) continue;
      if (one.required) broken.add('preference_required');
      else fines += times * (one.weight ?? 0);
    }
  };

  // Offers, seats, beds, and each thing once.
  const used = new Map<string, number>();
  const moves: Move[] = [];
  const beds: { readonly city: string; readonly hotel: string; readonly night: number }[] = [];
  for (const booking of bookings) {
    if (booking.kind === 'hotel') {
      const hotel = hotels.get(booking.offer);
      if (hotel === undefined) {
        broken.add('unknown_offer');
        continue;
      }
      const nights: number[] = [];
      for (let at = midnight(booking.from); at < midnight(booking.until); at += NIGHT)
        nights.push(at);
      const priced = nights.map((at) => hotel.nights.find(({ day }) => midnight(day) === at));
      if (nights.length === 0 || priced.includes(undefined)) {
        broken.add('wrong_dates');
        continue;
      }
      const rooms = booking.rooms ?? 1;
      if (rooms * (hotel.beds ?? 2) < count) broken.add('too_few_beds');
      for (const [i, night] of priced.entries()) {
        money += (night?.price ?? 0) * rooms;
        if ((night?.rooms ?? 0) < rooms) broken.add('sold_out');
        beds.push({ city: hotel.city, hotel: hotel.id, night: nights[i] });
      }
      const stars = wishes.find(({ kind }) => kind === 'stars');
      if (stars?.kind === 'stars' && (hotel.stars < stars.least || hotel.stars > stars.most)) {
        wish('stars', nights.length);
      }
      continue;
    }
    const known = { flight: flights, train: trains, pass: passes }[booking.kind].get(booking.offer);
    if (known === undefined) {
      broken.add('unknown_offer');
      continue;
    }
    const name = `${booking.kind}/${booking.offer}`;
    used.set(name, (used.get(name) ?? 0) + 1);
    if (used.get(name) === 2) broken.add('booked_twice');
    if (booking.kind === 'pass') {
      money += known.price * count;
      continue;
    }
    const moving = (booking.kind === 'flight' ? flights : trains).get(booking.offer);
    if (moving === undefined) continue;
    if (moving.cancelled) broken.add('cancelled_offer');
    else if (moving.seats < count) broken.add('sold_out');
    let price = moving.price;
    if (booking.kind === 'train' && booking.pass !== undefined) {
      const ticket = trains.get(booking.offer)?.passes?.find(({ pass }) => pass === booking.pass);
      price = ticket?.supplement ?? (ticket === undefined ? price : 0);
    }
    if (booking.kind === 'train' && booking.pass === undefined) wish('rail_pass', 1);
    if (booking.kind === 'flight' && (flights.get(booking.offer)?.stops ?? 0) > 0)
      wish('direct_flights', 1);
    money += price * count;
    const { from, to } = moving;
    const [departs, arrives] = [clock(moving.departs), clock(moving.arrives)];
    moves.push({
      mode: booking.kind,
      from,
      to,
      departs,
      arrives,
      absolute: departs - offset(from),
    });
  }
  checkPasses(trip, bookings, broken);
  const journey = followMoves(trip, moves, beds, broken);
  wish('nights', journey.offNights);
  const start = wishes.find(({ kind }) => kind === 'start');
  if (start?.kind === 'start' && journey.begins !== null) {
    wish('start', Math.abs(midnight(start.day) - journey.begins) / NIGHT);
  }
  if (Math.round(100 * money) > Math.round(100 * trip.budget)) broken.add('over_budget');
  return { broken, money, cost: money + fines };
}

function checkPasses({ offers }: TravelFile, bookings: readonly Booking[], broken: Set<string>) {
  const days = new Map<string, Set<string>>();
  for (const booking of bookings) {
    if (booking.kind !== 'train' || booking.pass === undefined) continue;
    const train = (offers.trains ?? []).find(({ id }) => id === booking.offer);
    if (train === undefined) continue;
    const pass = (offers.passes ?? []).find(({ id }) => id === booking.pass);
    const day = train.departs.slice(0, 10);
    if (!bookings.some((one) => one.kind === 'pass' && one.offer === booking.pass))
      broken.add('no_pass');
    const isSold = (train.passes ?? []).some((one) => one.pass === booking.pass);
    if (pass === undefined || !isSold || day < pass.from || day > pass.until) {
      broken.add('pass_not_valid');
      continue;
    }
    const used = days.get(pass.id) ?? new Set();
    days.set(pass.id, used.add(day));
    if (used.size > pass.days) broken.add('pass_used_up');
  }
}

/** Follows the travellers, and looks at every night between two moves. */
function followMoves(
  trip: TravelFile,
  moves: Move[],
  beds: readonly { readonly city: string; readonly hotel: string; readonly night: number }[],
  broken: Set<string>,
) {
  const { train: toStation = 45, flight: toAirport = 60 } = trip.transfer ?? {};
  const { train: early = 0, flight: earlier = 120 } = trip.board ?? {};
  const transfer = { train: toStation, flight: toAirport };
  const board = { train: early, flight: earlier };
  moves.sort((a, b) => a.absolute - b.absolute);
  const [first, last] = [moves[0], moves.at(-1)];
  let here = trip.home;
  const lengths = new Map<string, number>();
  const slept: { readonly city: string; readonly night: number }[] = [];
  const made: string[] = [];
  for (const [i, move] of moves.entries()) {
    if (move.from !== here) broken.add('not_there');
    else if (i > 0) {
      const before = moves[i - 1];
      const atHotel = before.arrives + transfer[before.mode] * MINUTE;
      const leaves = move.departs - (transfer[move.mode] + board[move.mode]) * MINUTE;
      if (leaves < atHotel) broken.add('too_tight');
      // A night is slept in a city by those who are there before five in its morning and not gone by its midnight. Who
      // leaves before having come is counted backwards.
      const night = (at: number) => at + NIGHT > atHotel - 5 * HOUR && at + NIGHT <= leaves;
      const nights: number[] = [];
      const from = midnight(dayName(atHotel - 5 * HOUR));
      for (let at = from; night(at); at += NIGHT) nights.push(at);
      const lost = Math.max(0, (from - midnight(dayName(leaves))) / NIGHT);
      const length = nights.length > 0 ? nights.length : -lost;
      made.push(here);
      const stay = trip.stays.find(({ city }) => city === here);
      if (stay !== undefined) {
        const { nights: asked, least = asked, most = asked } = stay;
        if (length < least || length > most) broken.add('wrong_nights');
      }
      checkNights(trip, here, nights, { atHotel, leaves, from }, beds, broken);
      for (const at of nights) slept.push({ city: here, night: at });
      lengths.set(here, length);
    }
    here = move.to;
  }
  if (here !== trip.home) broken.add('not_home');
  for (const { city } of trip.stays) {
    if (!moves.some(({ to }) => to === city)) broken.add('missing_stay');
  }
  const seen = new Set<string>();
  for (const [i, { to }] of moves.entries()) {
    const isStay = trip.stays.some(({ city }) => city === to) && !seen.has(to);
    if (!isStay && !(to === trip.home && i === moves.length - 1)) broken.add('unasked_stay');
    seen.add(to);
  }
  const asked = trip.stays.map(({ city }) => city).filter((city) => made.includes(city));
  const order = [...new Set(made)].filter((city) => asked.includes(city));
  if ((trip.order ?? 'fixed') === 'fixed' && asked.join() !== order.join())
    broken.add('wrong_order');
  if (first !== undefined && dayName(first.departs) < trip.period.from)
    broken.add('outside_period');
  if (last !== undefined && dayName(last.arrives) > trip.period.until) broken.add('outside_period');
  for (const { city, night } of beds) {
    if (!slept.some((one) => one.city === city && one.night === night)) broken.add('bed_elsewhere');
  }
  const offNights = trip.stays.reduce(
    (sum, { city, nights }) => sum + Math.abs((lengths.get(city) ?? nights) - nights),
    0,
  );
  return { offNights, begins: first === undefined ? null : midnight(dayName(first.departs)) };
}

function checkNights(
  { offers }: TravelFile,
  city: string,
  nights: readonly number[],
  {
    atHotel,
    leaves,
    from,
  }: { readonly atHotel: number; readonly leaves: number; readonly from: number },
  beds: readonly { readonly city: string; readonly hotel: string; readonly night: number }[],
  broken: Set<string>,
) {
  const here = beds.filter((bed) => bed.city === city && nights.includes(bed.night));
  for (const night of nights) {
    const count = here.filter((bed) => bed.night === night).length;
    if (count === 0) broken.add('no_bed');
    if (count > 1) broken.add('two_beds');
  }
  if (new Set(here.map(({ hotel }) => hotel)).size > 1) broken.add('moves_hotel');
  const [first, last] = [nights[0], nights.at(-1)];
  const hourOf = (text: string) => Number(text.slice(0, 2)) * HOUR + Number(text.slice(3)) * MINUTE;
  for (const { hotel, night } of here) {
    const facts = (offers.hotels ?? []).find(({ id }) => id === hotel);
    const [, until] = facts?.check_in ?? ['14:00', '23:00'];
    if (night === first && atHotel > from + hourOf(until)) broken.add('late_check_in');
    const earliest = hourOf(facts?.leave_from ?? '06:00');
    if (night === last && leaves < night + NIGHT + earliest) broken.add('early_departure');
  }
}
