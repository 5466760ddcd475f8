// Writes packages/service/src/client/openapi.ts, the types of the TypeScript client, from schemas/openapi.json, unless it is up
// to date. A package of its own, because openapi-typescript needs the compiler API of TypeScript 5.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const source = readFileSync(new URL('schemas/openapi.json', root), 'utf8');
const target = fileURLToPath(new URL('packages/service/src/client/openapi.ts', root));
const hash = createHash('sha256').update(source).digest('hex');
const head = `// Made by npm run build:client-types from schemas/openapi.json (${hash}); do not edit.\n\n`;

const isCurrent = existsSync(target) && readFileSync(target, 'utf8').startsWith(head);
if (!isCurrent) writeFileSync(target, head + (await makeTypes()));

async function makeTypes() {
  const { default: openapiTS, astToString } = await import('openapi-typescript').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'packages/service/src/client/openapi.ts cannot be made without openapi-typescript: run npm ci',
    );
  });
  return astToString(await openapiTS(source, { alphabetize: true }));
}
