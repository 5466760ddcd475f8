import { isObject } from '../../core/json-path.js';
import { REDACTED } from '../../core/secret-text.js';
import type { Json } from './entry.js';

/** Whether a value stands in the place of a secret, such as in a state that a log tells. */
export function isPlaceholder(value: Json): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  return typeof value.$redacted === 'string' && /^[0-9a-f]{8}$/.test(value.$redacted);
}

/** Whether there is a placeholder anywhere in a value. */
export function isRedacted(value: Json): boolean {
  if (typeof value === 'string') return value.includes(REDACTED);
  if (value === null || typeof value !== 'object') return false;
  return isPlaceholder(value) || Object.values(value).some(isRedacted);
}
