import { AlasError } from 'alas-jssp';
import type { TravelEvent } from '../events/travel-events.js';
import type { TravelBookingFile } from '../model/travel-plan.js';
import type { TravelOffers } from '../model/travel-schema.js';
import type { DeskBooking } from './travel-desk.js';

/** A client of a booking service. */
export interface TravelClient {
  offers(signal?: AbortSignal): Promise<TravelOffers>;
  bookings(signal?: AbortSignal): Promise<DeskBooking[]>;
  /** The entry of a key; null if there is none. */
  find(key: string, signal?: AbortSignal): Promise<DeskBooking | null>;
  /**
   * @throws AlasError `SoldOut`, `PriceChanged`, `Cancelled`, `UnknownOffer`, `KeyCancelled`, `KeyReused`: nothing was
   *   booked; `Busy`: the service refused the call; `Lost` (with `unanswered`): it did not answer, and may have booked
   */
  book(
    key: string,
    request: {
      readonly trip: string;
      readonly booking: TravelBookingFile;
      readonly price: number;
    },
    signal?: AbortSignal,
  ): Promise<DeskBooking>;
  cancel(key: string, signal?: AbortSignal): Promise<{ readonly fee: number }>;
  /** Makes an event happen: for simulations. */
  tell(event: TravelEvent, signal?: AbortSignal): Promise<DeskBooking[]>;
}

/** Creates the client of the service at an address, such as `http://127.0.0.1:8080`. */
export function createTravelClient(url: string): TravelClient {
  const call = async (
    method: string,
    path: string,
    { key, body, signal }: { key?: string; body?: unknown; signal?: AbortSignal | undefined } = {},
  ): Promise<unknown> => {
    let response: Response;
    try {
      response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
        method,
        headers: {
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        ...(signal !== undefined && { signal }),
      });
      const value = (await response.json()) as { code?: string; message?: string };
      if (response.ok) return value;
      const { code = 'Busy', message = `the service answers ${response.status}` } = value;
      throw new AlasError(response.status === 404 ? 'Unknown' : code, message, response.status);
    } catch (error) {
      if (error instanceof AlasError) throw error;
      signal?.throwIfAborted();
      // The request may have arrived: the caller cannot know what became of it.
      const lost = new AlasError('Lost', `${url} did not answer to ${method} ${path}`, url);
      throw Object.assign(lost, { unanswered: true });
    }
  };
  const place = (key: string) => `/bookings/${encodeURIComponent(key)}`;
  return {
    offers: (signal) => call('GET', '/offers', { signal }) as Promise<TravelOffers>,
    bookings: (signal) => call('GET', '/bookings', { signal }) as Promise<DeskBooking[]>,
    async find(key, signal) {
      try {
        return (await call('GET', place(key), { signal })) as DeskBooking;
      } catch (error) {
        if (error instanceof AlasError && error.code === 'Unknown') return null;
        throw error;
      }
    },
    book: (key, body, signal) =>
      call('POST', '/bookings', { key, body, signal }) as Promise<DeskBooking>,
    cancel: (key, signal) => call('DELETE', place(key), { signal }) as Promise<{ fee: number }>,
    tell: (event, signal) =>
      call('POST', '/events', { body: event, signal }) as Promise<DeskBooking[]>,
  };
}
