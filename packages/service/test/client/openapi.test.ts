import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';

const made = readFileSync('schemas/openapi.json', 'utf8');

test('schemas/openapi.json is how the service describes itself; npm run openapi writes it', async () => {
  const app = await createApp({ directory: await openShopDirectory({}) });
  const { body } = await app.inject({ url: '/openapi.json' });
  await app.close();
  expect(JSON.parse(made)).toEqual(JSON.parse(body));
});
