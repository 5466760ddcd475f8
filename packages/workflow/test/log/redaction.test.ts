import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import {
  createMemoryStore,
  type Json,
  openSqliteStore,
  redacting,
  runWorkflow,
  schemasOfWorkflow,
  signalRun,
  verifyLog,
  workflowSchema,
} from '../../src/index.js';
import { redactedPlaces } from '../../src/log/secrets.js';
import { entry } from './entries.js';

const payloadOf = (payload: Json, options = {}, type: 'EndNode' | 'StartRun' = 'EndNode') => {
  const store = redacting(createMemoryStore(), options);
  return store.append([entry('r', type, payload)])[0].payload as Record<string, never>;
};
const tag = { $redacted: expect.stringMatching(/^[0-9a-f]{8}$/) };

describe('redaction', () => {
  it('replaces what stands under a secret key, however that is spelled', () => {
    const input = {
      headers: { Authorization: 'Basic eDp5', Accept: '*' },
      'api-key': 5,
      apiKey: ['k'],
    };
    const more = { access_token: { a: 1 }, tokens: 12, password: null };
    expect(payloadOf({ input, more })).toEqual({
      input: { headers: { Authorization: tag, Accept: '*' }, 'api-key': tag, apiKey: tag },
      more: { access_token: tag, tokens: 12, password: null },
      $redactions: [
        '/input/headers/Authorization',
        '/input/api-key',
        '/input/apiKey',
        '/more/access_token',
      ],
    });
  });

  it('gives equal values equal tags, but not in another log', () => {
    const [a, b] = [payloadOf({ token: 1, secret: 1 }), payloadOf({ token: 1, secret: 2 })];
    expect(a.token).toEqual(a.secret);
    expect(b.token).not.toEqual(b.secret);
    expect(a.token).not.toEqual(b.token);
  });

  it('replaces registered texts inside of texts and keys, and secret values wherever they reappear', () => {
    const payload = {
      url: 'https://x/?k=s3cret%2Fkey&u=1',
      's3cret/key': 1,
      note: 'hunter2hunter2!',
      password: 'hunter2hunter2',
    };
    expect(payloadOf(payload, { secrets: ['s3cret/key'] })).toMatchObject({
      url: 'https://x/?k=[redacted]&u=1',
      '[redacted]': 1,
      note: '[redacted]!',
      password: tag,
    });
  });

  it('replaces what the schemas of a node mark', () => {
    const workflow = workflowSchema.parse({
      schema: 'alas-jssp/workflow@1',
      name: 'w',
      schemas: {
        Card: { type: 'object', properties: { pan: { type: 'string', 'x-secret': true } } },
      },
      nodes: [
        {
          id: 'loop',
          type: 'map',
          body: {
            nodes: [
              {
                id: 'plan',
                type: 'task',
                io: {
                  input: {
                    properties: { cards: { type: 'array', items: { $ref: '#/schemas/Card' } } },
                  },
                  output: {
                    anyOf: [{ additionalProperties: { 'x-secret': true } }, { type: 'null' }],
                  },
                },
              },
            ],
            edges: [],
          },
        },
      ],
      edges: [],
    });
    const store = redacting(createMemoryStore(), { schemasOf: schemasOfWorkflow(workflow) });
    const payload = {
      input: { cards: [{ pan: '4111', name: 'A' }] },
      output: { any: 1 },
      other: { pan: 1 },
    };
    const [inner, outer] = store.append([
      entry('r', 'EndNode', payload, 'loop[3]/plan'),
      entry('r', 'EndNode', payload, 'loop'),
    ]);
    expect(inner.payload).toMatchObject({
      input: { cards: [{ pan: tag, name: 'A' }] },
      output: { any: tag },
      other: { pan: 1 },
    });
    expect(outer.payload).toEqual(payload);
  });

  it('replaces what looks like a key, in values and not in names', () => {
    const key = 'sk-live-9f8e7d6c5b4a';
    const store = redacting(createMemoryStore(), {});
    const [logged] = store.append([entry('r', 'EndNode', { output: [`use ${key}`] }, key)]);
    expect(logged.payload).toEqual({ output: ['use [redacted]'], $redactions: ['/output/0'] });
    expect(logged.nodeId).toBe(key);
  });

  it('replaces marked numbers in lists', () => {
    const io = { output: { items: { 'x-secret': true } } };
    const options = { schemasOf: () => [io] };
    expect(payloadOf({ output: [1, 2] }, options)).toMatchObject({ output: [tag, tag] });
  });

  it('leaves the token of an owner, which is none of its secrets', () => {
    const token = { owner: 'host/1', token: 3 };
    expect(payloadOf({ ...token, input: { token: 3 } }, {}, 'StartRun')).toMatchObject({
      ...token,
      input: { token: tag },
    });
  });

  it('keeps secrets out of messages, by the schemas of what waits for them', () => {
    const marked = { properties: { pin: { 'x-secret': true } } };
    const workflow = workflowSchema.parse({
      schema: 'alas-jssp/workflow@1',
      name: 'w',
      signals: { paid: marked },
      nodes: [{ id: 'step', type: 'task', io: { output: marked } }],
      edges: [],
    });
    const memory = createMemoryStore();
    redacting(memory).append([entry('r', 'StartRun', { workflow: workflow as never })]);
    const store = redacting(memory);
    const ts = '2026-01-01T00:00:00.000Z';
    const data = { name: 'paid', data: { pin: 1234, note: 'sk-live-9f8e7d6c5b4a', n: 1 } };
    store.post({ runId: 'r', ts, kind: 'signal', data });
    const answer = { nodeId: 'step', attempt: 1, output: { pin: 1234 } };
    store.post({ runId: 'r', ts, kind: 'answer', data: answer });
    expect(store.messages('r', 0).map((message) => message.data)).toEqual([
      { name: 'paid', data: { pin: tag, note: '[redacted]', n: 1 } },
      { nodeId: 'step', attempt: 1, output: { pin: tag } },
    ]);
  });

  it('ends a run that needs a secret of a message, which is redacted when it is sent', async () => {
    const pin = { properties: { pin: { 'x-secret': true } } };
    const workflow = workflowSchema.parse({
      schema: 'alas-jssp/workflow@1',
      name: 'w',
      nodes: [
        { id: 'ask', type: 'wait', message: 'pin', io: { output: pin } },
        { id: 'pay', type: 'task', input: 'outputs.ask' },
      ],
      edges: [{ from: 'ask', to: 'pay' }],
      policies: { plain: { timeout: { seconds: 5 } } },
      defaultPolicy: 'plain',
    });
    const given: Json[] = [];
    const registry = { handlers: { pay: { run: (input: Json) => void given.push(input) } } };
    const store = redacting(createMemoryStore());
    const run = runWorkflow(workflow, {}, { store, registry, runId: 'r', stay: true });
    await vi.waitFor(() => expect(store.runs()).toEqual(['r']));
    await signalRun(store, 'r', { name: 'pin', data: { pin: 1234 } });
    await expect(run).rejects.toMatchObject({ code: 'redacted_value', value: ['/input/pin'] });
    expect(given).toEqual([]);
  });

  it('is found again, place by place', () => {
    const { input } = payloadOf({
      input: { a: [1, { token: 'x' }], 'b/c': 'sk-live-9f8e7d6c5b4a' },
    });
    expect(redactedPlaces(input)).toEqual(['/a/1/token', '/b~1c']);
  });

  it('leaves the workflow in the first entry of a run unchanged', () => {
    const workflow = { schemas: { Login: { properties: { password: { type: 'string' } } } } };
    expect(payloadOf({ workflow, input: { password: 'x' } }, {}, 'StartRun')).toMatchObject({
      workflow,
      input: { password: tag },
    });
  });

  it('refuses secrets that are too short, and ids that hold one', () => {
    expect(() => redacting(createMemoryStore(), { secrets: ['abc'] })).toThrow('3 characters');
    const store = redacting(createMemoryStore(), { secrets: ['run-7'] });
    expect(() => store.append([entry('my-run-7')])).toThrow('holds a secret');
  });

  it('keeps registered secrets out of every byte of the file', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9"\\/+=\n ü-]{6,20}$/);
    fc.assert(
      fc.property(secret, fc.jsonValue({ maxDepth: 2 }), fc.string(), (key, value, before) => {
        const file = join(temporaryDirectory(), 'log.db');
        const store = redacting(openSqliteStore(file), { secrets: [key] });
        const prefix = before.replaceAll('\0', '');
        const payload = {
          [prefix + key]: [value as Json, `${prefix}${key}${key}`, { token: key }],
        };
        store.append([entry('r', 'EndNode', payload, `node ${key}`), entry('r', 'Retry', key)]);
        expect(verifyLog(store).valid).toBe(true);
        const bytes = Buffer.concat(
          readdirSync(dirname(file)).map((name) => readFileSync(join(dirname(file), name))),
        );
        store.close();
        expect(bytes.includes(key)).toBe(false);
        expect(bytes.includes(JSON.stringify(key).slice(1, -1))).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});
