import { columnsOf } from 'alas-jssp/command-line';
import { formatDay, formatMoment } from '../../travel/model/moment.js';
import { inTravelOrder, priceOfBooking } from '../../travel/model/travel-cost.js';
import type { TravelBooking } from '../../travel/model/travel-plan.js';
import { formatMoney, type TravelProblem } from '../../travel/model/travel-problem.js';

/** A booking as a row of a table. */
export interface BookingRow {
  readonly kind: string;
  readonly offer: string;
  readonly from: string;
  readonly until: string;
  readonly what: string;
  readonly price: string;
}

/** The bookings of a plan in the order of their times. */
export function bookingRows(
  problem: TravelProblem,
  bookings: readonly TravelBooking[],
): BookingRow[] {
  return inTravelOrder(problem, bookings).map((booking) => {
    const price = priceOfBooking(problem, booking);
    return {
      kind: booking.kind,
      offer: booking.offer,
      ...timesAndWords(problem, booking),
      price: price === null ? '' : formatMoney(price),
    };
  });
}

function timesAndWords(problem: TravelProblem, booking: TravelBooking) {
  if (booking.kind === 'hotel') {
    const hotel = problem.hotels.get(booking.offer);
    const rooms = booking.rooms === 1 ? '1 room' : `${booking.rooms} rooms`;
    const what = hotel === undefined ? rooms : `${hotel.city}, ${hotel.stars} stars, ${rooms}`;
    return { from: formatDay(booking.from), until: formatDay(booking.until), what };
  }
  if (booking.kind === 'pass') {
    const pass = problem.passes.get(booking.offer);
    return { from: '', until: '', what: pass === undefined ? '' : `valid on ${pass.days} days` };
  }
  const transport = problem.transports.get(booking.offer);
  if (transport === undefined) return { from: '', until: '', what: '' };
  const { from, to, departs, arrives, stops, mode } = transport;
  const more = [
    ...(mode === 'flight'
      ? [stops === 0 ? 'direct' : `${stops} stop${stops === 1 ? '' : 's'}`]
      : []),
    ...(booking.pass === null ? [] : [`with ${booking.pass}`]),
  ];
  return {
    from: formatMoment(departs).replace('T', ' '),
    until: formatMoment(arrives).replace('T', ' '),
    what: [`${from} to ${to}`, ...more].join(', '),
  };
}

const column = columnsOf<BookingRow>();
/** The columns of bookings. */
export const bookingColumns = [
  column('kind', { header: '' }),
  column('offer'),
  column('from'),
  column('until'),
  column('what', { header: '' }),
  column('price'),
];
