import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readKeys } from '../../src/codec/keys.js';

const key = randomBytes(32).toString('base64');

describe('keys of payloads', () => {
  it('are read by their ids, the first of them in use', () => {
    const keys = readKeys(` a-1:${key}, b:${randomBytes(32).toString('base64url')}`);
    expect(keys?.current).toBe('a-1');
    const text = Buffer.from('text');
    const sealed = keys?.encrypt(text) ?? text;
    expect(keys?.decrypt('a-1', sealed)).toEqual(text);
    expect(keys?.encrypt(text)).not.toEqual(sealed);
    expect(keys?.nameOf(text)).toBe(keys?.nameOf(text));
    sealed[14] ^= 1;
    expect(() => keys?.decrypt('a-1', sealed)).toThrow(/was changed/);
    expect(() => keys?.decrypt('b', sealed)).toThrow(/cannot be decrypted with key 'b'/);
  });

  it('need not be there', () => {
    expect(readKeys(undefined)).toBeUndefined();
    expect(readKeys(' ')).toBeUndefined();
  });

  it.each([
    [key, 'is not of the form ID:BASE64'],
    [`a:${key},`, 'key 2 is not of the form'],
    ['a:AAAA', "('a') has 3 bytes"],
    [`a:${key},a:${key}`, "has the id of another, 'a'"],
  ])('are refused without being shown', (text, problem) => {
    expect(() => readKeys(text)).toThrow(problem);
    expect(() => readKeys(text)).not.toThrow(key);
  });
});
