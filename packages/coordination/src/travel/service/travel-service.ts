import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson, readBytes, replaceFile } from '@alas-jssp/core';
import { AlasError, InputError } from 'alas-jssp';
import { travelEventSchema } from '../events/travel-events.js';
import type { TravelProblem } from '../model/travel-problem.js';
import { createDeskFaults, type DeskFault, type DeskFaultRule } from './desk-faults.js';
import {
  bookAtDesk,
  cancelAtDesk,
  type DeskBooking,
  type DeskRequest,
  type DeskState,
  enter,
  openDesk,
  readDesk,
  tellDesk,
  writeDesk,
} from './travel-desk.js';

/** Settings of a booking service. */
export interface TravelServiceOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly faults?: readonly DeskFaultRule[];
  /** File that keeps its books: a service that starts again continues with it. Default: none. */
  readonly state?: string;
  /** Milliseconds that a slow answer takes. Default 2000. */
  readonly slow?: number;
}

/** A booking service that listens. */
export interface TravelService {
  readonly url: string;
  /** All entries of its books. */
  bookings(): readonly DeskBooking[];
  /** Calls that arrived, by method. */
  readonly calls: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Largest body of a request, in bytes. */
const LARGEST_BODY = 1_000_000;

/**
 * Starts a booking service for the offers of a trip on this machine: `GET /offers`, `GET /bookings`,
 * `GET /bookings/KEY`, `POST /bookings` with an `idempotency-key`, `DELETE /bookings/KEY`, `POST /events`.
 */
export async function startTravelService(
  problem: TravelProblem,
  options: TravelServiceOptions = {},
): Promise<TravelService> {
  const { port = 0, faults = [], state, slow = 2000 } = options;
  const desk =
    state !== undefined && existsSync(state)
      ? readDesk(parseJson(readBytes(state), state) as never)
      : openDesk(problem);
  const strikes = createDeskFaults(faults);
  const calls: Record<string, number> = {};
  const server = createServer((request, response) => {
    const method = request.method ?? 'GET';
    calls[method] = (calls[method] ?? 0) + 1;
    const save = () => {
      if (state !== undefined) replaceFile(state, JSON.stringify(writeDesk(desk)));
    };
    void serve({ desk, strikes, slow, save }, request, response).catch((error: unknown) => {
      if (!response.headersSent) answer(response, 500, { code: 'Broken', message: String(error) });
    });
  });
  server.listen(port, '127.0.0.1');
  await Promise.race([
    once(server, 'listening'),
    once(server, 'error').then(([error]) => {
      const hint = 'give another --port';
      throw new InputError('bad_port', String((error as Error).message), hint, {}, port);
    }),
  ]);
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    bookings: () => [...desk.bookings.values()],
    calls,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Counter {
  readonly desk: DeskState;
  readonly strikes: ReturnType<typeof createDeskFaults>;
  readonly slow: number;
  readonly save: () => void;
}

async function serve(counter: Counter, request: IncomingMessage, response: ServerResponse) {
  const { desk, save } = counter;
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, what = '', key] = pathname.split('/').map(decodeURIComponent);
  const { method } = request;
  if (method === 'GET' && what === 'offers')
    return answer(response, 200, desk.problem.facts.offers);
  if (method === 'GET' && what === 'bookings') {
    const all = [...desk.bookings.values()];
    if (key === undefined) return answer(response, 200, all);
    const known = desk.bookings.get(key);
    if (known !== undefined) return answer(response, 200, known);
    return answer(response, 404, { code: 'Unknown', message: `nothing is booked as ${key}` });
  }
  if (method === 'POST' && what === 'bookings') return takeBooking(counter, request, response);
  if (method === 'DELETE' && what === 'bookings' && key !== undefined) {
    const known = desk.bookings.get(key);
    if (counter.strikes('stuck', known?.booking))
      return answer(response, 503, unavailable('stuck'));
    const cancelled = cancelAtDesk(desk, key);
    save();
    return answer(response, 200, cancelled ?? { key, state: 'cancelled', fee: 0 });
  }
  if (method === 'POST' && what === 'events') {
    const event = travelEventSchema.safeParse(JSON.parse(await bodyOf(request)));
    if (!event.success)
      return answer(response, 400, { code: 'BadEvent', message: event.error.message });
    const voided = tellDesk(desk, event.data);
    save();
    return answer(response, 200, voided);
  }
  return answer(response, 404, { code: 'Unknown', message: `there is no ${method} ${pathname}` });
}

async function takeBooking(
  { desk, strikes, slow, save }: Counter,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const body = JSON.parse(await bodyOf(request)) as Omit<DeskRequest, 'key'>;
  const key = String(request.headers['idempotency-key'] ?? '');
  if (key === '')
    return answer(response, 400, { code: 'NoKey', message: 'give an idempotency-key' });
  const { booking } = body;
  const hits = (fault: DeskFault) => strikes(fault, booking);
  if (hits('slow')) await new Promise((done) => setTimeout(done, slow));
  if (hits('down')) return answer(response, 503, unavailable('down'));
  if (hits('busy')) return answer(response, 503, unavailable('busy'));
  if (hits('lost_request')) return request.socket.destroy();
  if (hits('sold_out')) {
    return answer(response, 409, { code: 'SoldOut', message: `${booking.offer} is sold out` });
  }
  if (hits('price_change')) {
    const at = '2000-01-01T00:00Z';
    tellDesk(desk, { kind: 'price', at, offer: booking.offer, percent: 10 });
  }
  if (hits('false_answer')) {
    const reference = 'X0000';
    return answer(response, 201, { ...body, key, reference, state: 'booked', fee: 0 });
  }
  try {
    const isDouble = hits('double_booking');
    const isDearer = hits('wrong_price');
    const entry = isDearer
      ? enter(desk, { ...body, key, price: body.price + 1000 })
      : bookAtDesk(desk, { ...body, key });
    if (isDouble) enter(desk, { ...body, key });
    save();
    if (hits('lost_answer')) return request.socket.destroy();
    return answer(response, 201, entry);
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    save();
    return answer(response, 409, { code: error.code, message: error.message });
  }
}

function unavailable(why: string) {
  return { code: 'Busy', message: `the service is ${why}` };
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new AlasError('too_large', 'the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
