// Writes schemas/openapi.json, as the service describes itself, and the types of the TypeScript client from it.
// openapi-typescript needs the compiler API of TypeScript 5, which TypeScript 7 has not: both are fetched for the
// occasion. test/service/client/openapi.test.ts holds the two files to the service and to each other.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../dist/core/sha256.js';
import { createApp } from '../dist/service/http/app.js';

// The document is asked for as everybody does; nothing of a shop is needed for it.
const app = await createApp({ directory: {} });
const { body } = await app.inject({ url: '/openapi.json' });
await app.close();
const text = `${JSON.stringify(JSON.parse(body), null, 1)}\n`;
writeFileSync('schemas/openapi.json', text);

const place = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
try {
  const out = join(place, 'openapi.ts');
  const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'].flatMap((one) => [
    '--package',
    one,
  ]);
  const generate = ['openapi-typescript', join(process.cwd(), 'schemas/openapi.json'), '-o', out];
  execFileSync('npx', ['--yes', ...packages, '--', ...generate, '--alphabetize'], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const types = readFileSync(out, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n*/, '');
  const head = `// Made by npm run client:types of schemas/openapi.json (${sha256(text)}); do not edit.\n\n`;
  writeFileSync('src/service/client/openapi.ts', head + types);
} finally {
  rmSync(place, { recursive: true, force: true });
}
