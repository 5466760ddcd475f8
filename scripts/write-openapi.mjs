// Writes schemas/openapi.json, as the built service describes itself (npm run openapi).
import { writeFileSync } from 'node:fs';
import { createApp } from '../packages/service/dist/http/app.js';

const app = await createApp({ directory: {} });
const { body } = await app.inject({ url: '/openapi.json' });
await app.close();
writeFileSync('schemas/openapi.json', `${JSON.stringify(JSON.parse(body), null, 1)}\n`);
