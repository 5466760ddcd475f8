import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, createSecretText, secretsOf } from '../../src/core/secret-text.js';

test('the secrets of an environment are told by their names; placeholders are none', () => {
  const environment = {
    OPENAI_API_KEY: 'sk-12345678',
    OPENAI_COMPATIBLE_API_KEY: 'none',
    AWS_SECRET_ACCESS_KEY: 'an access key',
    PGPASSWORD: 'a password',
    GITHUB_TOKEN: ' long token ',
    HOME: '/home/somebody',
    PWD: '/home/somebody',
    TOKENIZERS_PARALLELISM: 'disabled',
  };
  const found = ['sk-12345678', 'an access key', 'a password', 'long token'];
  expect(secretsOf(environment)).toEqual(found);
});

test('a redactor leaves no secret in any text, as it is or as in a URL', () => {
  const secret = fc.string({ minLength: 8, maxLength: 20, unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1 }), fc.array(fc.string()), (secrets, others) => {
      fc.pre(secrets.every((one) => !'[redacted]'.includes(one)));
      const redact = createRedactor(secrets);
      const clean = redact(
        secrets.map((one, i) => `${others[i] ?? ''} ${one} ${encodeURIComponent(one)}`).join('\n'),
      );
      const rest = clean.split('[redacted]').join('\0');
      for (const one of secrets) {
        expect(rest).not.toContain(one);
        expect(rest).not.toContain(encodeURIComponent(one));
      }
    }),
  );
  const both = createRedactor(['sk-12345678', 'sk-12345678-and-more']);
  expect(both('a sk-12345678-and-more b')).toBe('a [redacted] b');
});

test.each([
  'sk-9f8e7d6c',
  'sk-proj-abcdefghijklmnopqrst',
  'sk_live_4eC39HqLyjWDarjtT1',
  'ghp_abcdefghijklmnopqrst0123456789',
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'Bearer abcdefghijklmnop==',
  '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----',
])('%s looks like a key', (key) => {
  const secrets = createSecretText([]);
  expect(secrets.isIn(`(${key})`)).toBe(true);
  expect(secrets.clean(`a (${key}) and (${key})`)).toBe('a ([redacted]) and ([redacted])');
  expect(secrets.cleanName(key)).toBe(key);
});

test.each(['task-assembly-1', 'sk-learn', 'risk-averse-planner-7', 'Bearer of news', 'AKIA'])(
  '%s does not',
  (text) => {
    const secrets = createSecretText([]);
    expect(secrets.isIn(text)).toBe(false);
    expect(secrets.clean(text)).toBe(text);
  },
);
