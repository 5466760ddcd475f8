import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSecretKey } from '../src/secret-names.js';
import { createRedactor, createSecretText, secretsOf } from '../src/secret-text.js';

test('the secrets of an environment are recognized by their names; placeholders are not secret', () => {
  const environment = {
    OPENAI_API_KEY: 'sk-12345678',
    OPENAI_COMPATIBLE_API_KEY: 'none',
    AWS_SECRET_ACCESS_KEY: 'an access key',
    PGPASSWORD: 'a password',
    GITHUB_TOKEN: ' long token ',
    HOME: '/home/user',
    PWD: '/home/user',
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

test.each(['task-assembly-1', 'sk-learn', 'risk-averse-planner-7', 'Bearer of letters', 'AKIA'])(
  '%s does not',
  (text) => {
    const secrets = createSecretText([]);
    expect(secrets.isIn(text)).toBe(false);
    expect(secrets.clean(text)).toBe(text);
  },
);

/** Names of secrets as people spell them: words before, and the words joined in some way. */
const secretName = fc
  .tuple(
    fc.constantFrom('', 'db', 'AWS', 'my_app', 'prod'),
    fc.constantFrom(
      ['password'],
      ['secret', 'access', 'key'],
      ['api', 'key'],
      ['client', 'secret'],
      ['passphrase'],
    ),
    fc.constantFrom('_', '-', 'camel', 'upper'),
  )
  .map(([first, words, spelling]) => {
    const all = [first, ...words].filter((word) => word !== '');
    if (spelling === 'upper') return all.join('_').toUpperCase();
    if (spelling !== 'camel') return all.join(spelling);
    return all.map((word, i) => (i === 0 ? word : word[0].toUpperCase() + word.slice(1))).join('');
  });
const secretValue = fc.stringMatching(/^[A-Za-z0-9!$^*+]{6,20}$/);

test('a value is hidden wherever its name or its place in a URL says that it is secret', () => {
  const { clean, isIn } = createSecretText([]);
  fc.assert(
    fc.property(secretName, secretValue, (name, value) => {
      fc.pre(!'[redacted]'.includes(value));
      const json = JSON.stringify({ a: 1, [name]: value, z: 'stays' });
      const texts = [
        ...[json, JSON.stringify({ text: json }), `${name}=${value}`, `export ${name}="${value}"`],
        `cannot reach postgres://user:${value}@db.example/shop`,
        json.slice(0, json.indexOf(value) + value.length),
      ];
      for (const text of texts) {
        expect(isIn(text)).toBe(true);
        expect(clean(text).replaceAll('[redacted]', '')).not.toContain(value);
        expect(clean(clean(text))).toBe(clean(text));
      }
      expect(clean(json)).toContain('stays');
    }),
  );
});

test('texts and names that hold no secret stay as they are', () => {
  const { clean } = createSecretText([]);
  for (const text of [
    'https://host:8080/a@b?x=1&page_token=2',
    'the password is wrong',
    '{"next_page_token":"abc","has_password":true,"key":"k","tokens":12}',
    'if a = b then c: "d"',
  ]) {
    expect(clean(text)).toBe(text);
  }
  for (const name of [
    'key',
    'tokens',
    'nextPageToken',
    'hasPassword',
    'idempotencyKey',
    'secretary',
  ])
    expect(isSecretKey(name)).toBe(false);
});

test('long texts without secrets are scanned in linear time', () => {
  const { clean } = createSecretText([]);
  for (const part of ['\\', 'a.', 'a:', '"', '\\"', 'a=', '://', '"a":"', 'password="']) {
    const long = part.repeat(200_000 / part.length);
    expect(clean(long).length).toBeGreaterThan(0);
  }
}, 20_000);

test('secrets in settings, options, headers and prose are found by the name next to them', () => {
  const redact = createRedactor([]);
  for (const [text, clean] of [
    ['DB_PASS=hunter2 PORT=80', 'DB_PASS=[redacted] PORT=80'],
    ['mysql --user kim --password hunter2 -v', 'mysql --user kim --password [redacted] -v'],
    ['curl --token --verbose', 'curl --token --verbose'],
    ['login failed for kim, password: hunter2', 'login failed for kim, password: [redacted]'],
    ['Authorization: Basic a2ltOmh1bnRlcjI=', 'Authorization: [redacted]'],
    ['Basic training', 'Basic training'],
    ['SECOND_PASS is a name', 'SECOND_PASS is a name'],
    ['unexpected token: }', 'unexpected token: }'],
  ]) {
    expect(redact(text)).toBe(clean);
  }
});
