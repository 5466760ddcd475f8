import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../api/common.js';
import { ServiceRefusal } from './refusal.js';
import type { AccessToken } from './tokens.js';

/**
 * The key by which a calendar program, which cannot send a token, reads the calendars of one shop. It is derived from
 * the token, so that it expires with the token, and gives no other access.
 */
export function calendarKey(token: string, shop: string): string {
  return createHmac('sha256', token).update(`calendar of ${shop}`).digest('base64url');
}

/**
 * Finds the caller of a request by the calendar key in its query.
 *
 * @returns undefined for a request without a key; the caller has the role `view`
 * @throws ServiceRefusal 401 for a key that does not belong to this shop
 */
export function keyedCaller(
  { query, params }: FastifyRequest,
  tokens: readonly AccessToken[],
): Caller | undefined {
  const { key } = (query ?? {}) as { key?: unknown };
  if (typeof key !== 'string' || tokens.length === 0) return undefined;
  const { id = '' } = (params ?? {}) as { id?: string };
  const given = Buffer.from(key);
  let found: Caller | undefined;
  for (const { token, ...caller } of tokens) {
    const right = Buffer.from(calendarKey(token, id));
    const isSame = right.length === given.length && timingSafeEqual(right, given);
    if (isSame) found = { ...caller, role: 'view' };
  }
  if (found !== undefined) return found;
  const words = 'the key of this calendar is invalid or expired';
  throw new ServiceRefusal(401, 'bad_key', words, 'subscribe again from the page of the shop');
}
