import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** The server of tests: a counter, on three pages of tools. Arguments: a log of calls, or `refuse` to start. */
const [log] = process.argv.slice(2);

if (log === 'refuse') {
  process.stderr.write('loading\nno database is configured\n');
  process.exit(3);
}

const object = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const number = { type: 'number' };
const dialect = 'http://json-schema.org/draft-07/schema#';

const pages = [
  [
    {
      name: 'add',
      description: 'Adds to the counter.',
      inputSchema: { $schema: dialect, ...object({ by: number }) },
      outputSchema: object({ sum: number }),
    },
    {
      name: 'read-sum',
      title: 'Reads the counter',
      inputSchema: object({}),
      outputSchema: object({ sum: number }),
      annotations: { readOnlyHint: true },
    },
  ],
  [
    {
      name: 'reset/all',
      description: 'Resets the counter for good.',
      inputSchema: object({}),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
  ],
  [
    { name: 'die', inputSchema: object({}), annotations: { destructiveHint: false } },
    { name: 'wait', inputSchema: object({}) },
    { name: 'json', inputSchema: object({}) },
  ],
];

export function createServer() {
  const server = new Server({ name: 'counter', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    const next = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
    return { tools: pages[page], ...next };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (log) appendFileSync(log, `${params.name} ${JSON.stringify(params._meta)}\n`);
    return perform(params.name, params.arguments ?? {}, mcpReq.signal);
  });
  return server;
}

let sum = 0;

async function perform(name, { by }, signal) {
  switch (name) {
    case 'add': {
      if (by < 0) {
        return { content: [{ type: 'text', text: 'only\nupwards' }], isError: true };
      }
      sum += by;
      return { content: [], structuredContent: { sum } };
    }
    case 'read-sum':
      return { content: [], structuredContent: { sum } };
    case 'reset/all':
      sum = 0;
      return { content: [{ type: 'text', text: 'done' }] };
    case 'json':
      return { content: [{ type: 'text', text: '{"ok":true}' }] };
    case 'wait':
      await new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          if (log) appendFileSync(log, 'wait was cancelled\n');
          resolve();
        });
      });
      return { content: [] };
    case 'die':
      process.stderr.write('out of memory\n');
      process.exit(1);
  }
  throw new Error(`no tool ${name}`);
}

if (import.meta.url === new URL(`file://${process.argv[1]}`).href) serveStdio(createServer);
