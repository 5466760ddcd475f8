import { checkJson, faultError, suggestNames } from '@alas-jssp/core';
import { DAY, parseDay, parseMoment } from './moment.js';
import { type TravelFacts, type TravelPreference, travelSchema } from './travel-schema.js';

/** A flight or a train. Money is in hundredths; local times and times in UTC in minutes since 1970. */
export interface Transport {
  readonly id: string;
  readonly mode: 'flight' | 'train';
  readonly from: string;
  readonly to: string;
  /** By the clocks of `from`. */
  readonly departs: number;
  /** By the clocks of `to`. */
  readonly arrives: number;
  readonly departsUtc: number;
  readonly arrivesUtc: number;
  readonly stops: number;
  /** For one traveller. */
  readonly price: number;
  readonly seats: number;
  readonly refund: number;
  readonly cancelled: boolean;
  /** Price for one traveller with a pass, by pass. */
  readonly passes: ReadonlyMap<string, number>;
}

/** A hotel; its nights by day. */
export interface Hotel {
  readonly id: string;
  readonly city: string;
  readonly stars: number;
  readonly beds: number;
  /** Minutes after the midnight before the first night. */
  readonly checkIn: readonly [number, number];
  /** Minutes after midnight of the day of departure. */
  readonly leaveFrom: number;
  readonly refund: number;
  readonly nights: ReadonlyMap<number, { readonly price: number; readonly rooms: number }>;
}

/** A rail pass for one traveller. */
interface RailPass {
  readonly id: string;
  readonly price: number;
  readonly days: number;
  readonly from: number;
  readonly until: number;
  readonly refund: number;
}

/** A stay in a city, with its nights. */
export interface CityStay {
  readonly city: string;
  readonly nights: number;
  readonly least: number;
  readonly most: number;
}

/** A trip to plan, everything by id. */
export interface TravelProblem {
  readonly name: string;
  readonly currency: string;
  readonly budget: number;
  readonly from: number;
  readonly until: number;
  readonly home: string;
  /** Minutes by which the clocks of a city are ahead of UTC. */
  readonly offsets: ReadonlyMap<string, number>;
  /** Cities by their names in small letters. */
  readonly cityNames: ReadonlyMap<string, string>;
  readonly travellers: number;
  readonly stays: readonly CityStay[];
  readonly order: 'fixed' | 'free';
  readonly transfer: Readonly<Record<Transport['mode'], number>>;
  readonly board: Readonly<Record<Transport['mode'], number>>;
  readonly preferences: readonly TravelPreference[];
  readonly transports: ReadonlyMap<string, Transport>;
  readonly hotels: ReadonlyMap<string, Hotel>;
  readonly passes: ReadonlyMap<string, RailPass>;
  /** The parsed file. */
  readonly facts: TravelFacts;
}

/** Hundredths of a price. */
export function centsOf(price: number): number {
  return Math.round(100 * price);
}

/** A price of hundredths, with two digits after the point unless they are zeros: `1,234.50`. */
export function formatMoney(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const [whole, rest] = [Math.floor(Math.abs(cents) / 100), Math.abs(cents) % 100];
  const grouped = String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${grouped}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/**
 * Parses a trip from the contents of its file.
 *
 * @throws InputError `bad_travel` with the JSON path of the fault: a malformed part, an undeclared or duplicate name,
 *   or a time that ends before it begins
 */
export function readTravel(value: unknown, file?: string): TravelProblem {
  const checked = checkJson<TravelFacts>(travelSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_travel', checked.fault, file);
  return travelOf(checked.data, file);
}

/** The trip of checked facts. @throws InputError `bad_travel` as {@link readTravel} */
export function travelOf(facts: TravelFacts, file?: string): TravelProblem {
  checkTravelNames(facts, file);
  const offsets = new Map(facts.cities.map(({ id, utc_offset }) => [id, utc_offset]));
  const problem: TravelProblem = {
    name: facts.name,
    currency: facts.currency,
    budget: centsOf(facts.budget),
    from: parseDay(facts.period.from),
    until: parseDay(facts.period.until),
    home: facts.home,
    offsets,
    cityNames: new Map(
      facts.cities.flatMap(({ id, also }) => [id, ...also].map((name) => [name.toLowerCase(), id])),
    ),
    travellers: facts.travellers.length,
    stays: facts.stays.map(({ city, nights, least = nights, most = nights }) => {
      return { city, nights, least, most };
    }),
    order: facts.order,
    transfer: facts.transfer,
    board: facts.board,
    preferences: facts.preferences,
    transports: transportsOf(facts, offsets),
    hotels: byOfferId(
      facts.offers.hotels.map(({ check_in, leave_from, nights, ...hotel }) => ({
        ...hotel,
        checkIn: [minutesOf(check_in[0]), minutesOf(check_in[1])] as const,
        leaveFrom: minutesOf(leave_from),
        nights: new Map(
          nights.map(({ day, price, rooms }) => [parseDay(day), { price: centsOf(price), rooms }]),
        ),
      })),
    ),
    passes: byOfferId(
      facts.offers.passes.map(({ price, from, until, ...pass }) => {
        return { ...pass, price: centsOf(price), from: parseDay(from), until: parseDay(until) };
      }),
    ),
    facts,
  };
  checkTravelTimes(problem, file);
  return problem;
}

function transportsOf(
  { offers: { flights, trains } }: TravelFacts,
  offsets: ReadonlyMap<string, number>,
): Map<string, Transport> {
  const all = [
    ...flights.map((one) => ({ ...one, mode: 'flight' as const, passes: [] })),
    ...trains.map((one) => ({ ...one, mode: 'train' as const, stops: 0 })),
  ];
  return byOfferId(
    all.map(({ id, mode, from, to, stops, price, seats, refund, ...rest }) => {
      const [departs, arrives] = [parseMoment(rest.departs), parseMoment(rest.arrives)];
      return {
        id,
        mode,
        from,
        to,
        departs,
        arrives,
        departsUtc: departs - (offsets.get(from) ?? 0),
        arrivesUtc: arrives - (offsets.get(to) ?? 0),
        stops,
        price: centsOf(price),
        seats,
        refund,
        cancelled: rest.cancelled === true,
        passes: new Map(rest.passes.map(({ pass, supplement }) => [pass, centsOf(supplement)])),
      };
    }),
  );
}

/** Minutes since midnight; `24:00` is 1440. */
function minutesOf(hour: string): number {
  const [hours, minutes] = hour.split(':').map(Number);
  return 60 * hours + minutes;
}

function byOfferId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** A fault at a place of the file. */
function refuse(
  path: readonly (string | number)[],
  problem: string,
  hint: string,
  found: unknown,
  file: string | undefined,
): never {
  throw faultError('bad_travel', { path: [...path], problem, hint, found }, file);
}

function checkTravelNames(facts: TravelFacts, file: string | undefined): void {
  const { cities, stays, offers } = facts;
  const known = cities.map(({ id }) => id);
  const requireCity = (name: string, path: readonly (string | number)[]) => {
    if (known.includes(name)) return;
    refuse(path, `there is no city '${name}'`, suggestNames(name, known), name, file);
  };
  const requireNew = (ids: readonly string[], pathOf: (i: number) => (string | number)[]) => {
    const seen = new Set<string>();
    for (const [i, name] of ids.entries()) {
      if (seen.has(name)) refuse(pathOf(i), `there are two '${name}'`, 'rename one', name, file);
      seen.add(name);
    }
  };
  requireNew(known, (i) => ['cities', i, 'id']);
  const named = cities.flatMap(({ id, also }, i) =>
    [id, ...also].map((name) => ({ i, name: name.toLowerCase() })),
  );
  requireNew(
    named.map(({ name }) => name),
    (at) => ['cities', named[at].i, 'also'],
  );
  requireNew(
    facts.travellers.map(({ id }) => id),
    (i) => ['travellers', i, 'id'],
  );
  requireCity(facts.home, ['home']);
  for (const [i, { city }] of stays.entries()) {
    requireCity(city, ['stays', i, 'city']);
    if (city === facts.home) refuse(['stays', i, 'city'], 'it is home', 'leave it out', city, file);
  }
  requireNew(
    stays.map(({ city }) => city),
    (i) => ['stays', i, 'city'],
  );
  const kinds = ['flights', 'trains', 'hotels', 'passes'] as const;
  const all = kinds.flatMap((kind) => offers[kind].map(({ id }, i) => ({ kind, i, id })));
  requireNew(
    all.map(({ id }) => id),
    (at) => ['offers', all[at].kind, all[at].i, 'id'],
  );
  for (const kind of ['flights', 'trains'] as const) {
    for (const [i, { from, to }] of offers[kind].entries()) {
      requireCity(from, ['offers', kind, i, 'from']);
      requireCity(to, ['offers', kind, i, 'to']);
    }
  }
  for (const [i, { city }] of offers.hotels.entries())
    requireCity(city, ['offers', 'hotels', i, 'city']);
  const passes = offers.passes.map(({ id }) => id);
  for (const [i, train] of offers.trains.entries()) {
    for (const [k, { pass }] of train.passes.entries()) {
      if (passes.includes(pass)) continue;
      const path = ['offers', 'trains', i, 'passes', k, 'pass'];
      refuse(path, `there is no pass '${pass}'`, suggestNames(pass, passes), pass, file);
    }
  }
}

/** The longest journey that is accepted, which keeps out exchanged dates. */
const LONGEST = 4 * DAY;

function checkTravelTimes(problem: TravelProblem, file: string | undefined): void {
  const { facts, from, until, transports, hotels, passes, stays } = problem;
  if (until < from) {
    refuse(['period'], 'it ends before it begins', 'exchange the dates', facts.period, file);
  }
  for (const [i, { least, nights, most }] of stays.entries()) {
    if (least <= nights && nights <= most) continue;
    const hint = 'give least ≤ nights ≤ most';
    refuse(['stays', i], `${nights} nights are not from ${least} to ${most}`, hint, nights, file);
  }
  for (const kind of ['flights', 'trains'] as const) {
    for (const [i, { id, arrives }] of facts.offers[kind].entries()) {
      const { departsUtc, arrivesUtc } = transports.get(id) as Transport;
      const path = ['offers', kind, i, 'arrives'];
      const hint = 'both times are local; utc_offset of the cities links them';
      if (arrivesUtc <= departsUtc)
        refuse(path, 'it arrives before it departs', hint, arrives, file);
      if (arrivesUtc - departsUtc > LONGEST) {
        refuse(path, 'it is on its way for more than four days', hint, arrives, file);
      }
    }
  }
  for (const [i, { id, nights, check_in }] of facts.offers.hotels.entries()) {
    const hotel = hotels.get(id) as Hotel;
    if (hotel.nights.size < nights.length) {
      refuse(
        ['offers', 'hotels', i, 'nights'],
        'a night is listed twice',
        'list it once',
        id,
        file,
      );
    }
    if (hotel.checkIn[1] < hotel.checkIn[0]) {
      const path = ['offers', 'hotels', i, 'check_in'];
      refuse(path, 'it ends before it begins', 'exchange the times', check_in, file);
    }
  }
  for (const [i, { id, until: last }] of facts.offers.passes.entries()) {
    const pass = passes.get(id) as RailPass;
    const path = ['offers', 'passes', i, 'until'];
    if (pass.until < pass.from)
      refuse(path, 'it ends before it begins', 'exchange the dates', last, file);
  }
}
