import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/sha256.js';
import { createApp } from '../../../src/service/http/app.js';
import { openShopDirectory } from '../../../src/service/shops/open-directory.js';

const made = readFileSync('schemas/openapi.json', 'utf8');

test('schemas/openapi.json is how the service describes itself; npm run client:types makes it anew', async () => {
  const app = await createApp({ directory: await openShopDirectory({}) });
  const { body } = await app.inject({ url: '/openapi.json' });
  await app.close();
  expect(JSON.parse(made)).toEqual(JSON.parse(body));
});

test('the types of the client are those of schemas/openapi.json; npm run client:types makes them anew', () => {
  const [head] = readFileSync('src/service/client/openapi.ts', 'utf8').split('\n', 1);
  expect(head).toContain(`(${sha256(made)})`);
});
