import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { LlmClient, LlmRequest } from '../../../src/llm/client.js';
import { createAnthropicClient } from '../../../src/llm/clients/anthropic.js';
import { createOpenAiClient } from '../../../src/llm/clients/openai.js';
import { LlmError } from '../../../src/llm/errors.js';
import { estimateInput } from '../../../src/llm/request-key.js';
import { estimateTokens } from '../../../src/llm/token-estimate.js';
import { startChatServer } from '../servers/chat-completions.js';
import { startMessagesServer } from '../servers/messages.js';
import type { Behaviour, WireServer } from '../servers/wire-server.js';

const KEY = 'sk-secret/key+1234567890';
const TIMEOUT = 0.08;
/** Before the libraries take hold of it. */
const printed = vi.spyOn(console, 'error');

const REQUEST: LlmRequest = {
  model: 'gpt-5-test',
  messages: [
    { role: 'system', content: 'Plan well.' },
    { role: 'user', content: 'Plan ft06.' },
    { role: 'assistant', content: 'How?' },
    { role: 'user', content: 'Well.' },
  ],
  maxOutputTokens: 100,
};

interface Provider {
  readonly name: string;
  readonly start: (behave: (n: number) => Behaviour) => Promise<WireServer>;
  readonly create: (url: string, timeoutSeconds: number) => LlmClient;
}

const providers: Provider[] = [
  {
    name: 'openai',
    start: (behave) => startChatServer((_, n) => behave(n)),
    create: (url, timeoutSeconds) =>
      createOpenAiClient({ apiKey: KEY, baseUrl: `${url}/v1`, timeoutSeconds, compatible: false }),
  },
  {
    name: 'anthropic',
    start: (behave) => startMessagesServer((_, n) => behave(n)),
    create: (url, timeoutSeconds) =>
      createAnthropicClient({ apiKey: KEY, baseUrl: url, timeoutSeconds }),
  },
];

describe.each(providers)('the client of $name', ({ start, create }) => {
  const ask = async (behaviour: Behaviour, request = REQUEST, timeout = 600) => {
    const server = await start(() => behaviour);
    const completion = await create(server.url, timeout).complete(request, {});
    return { completion, server };
  };
  /** The error of a request; whatever it is, it is one of ours and holds no key. */
  const fail = async (behaviour: Behaviour, timeout = 600): Promise<LlmError> => {
    const error = await ask(behaviour, REQUEST, timeout).then(
      () => null,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(LlmError);
    const shown = `${error} ${JSON.stringify(error)} ${(error as Error).stack}`;
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain(encodeURIComponent(KEY));
    expect((error as Error).message).not.toContain('\n');
    expect((error as Error).message.length).toBeLessThan(400);
    expect(printed).not.toHaveBeenCalled();
    return error as LlmError;
  };

  describe.each([
    { how: 'streamed', whole: false },
    { how: 'whole', whole: true },
  ])('answered $how', ({ whole }) => {
    it('gives text, tokens, model and id of an answer', async () => {
      const { completion, server } = await ask({ kind: 'answer', text: '{"a": "ä\n…"}', whole });
      expect(completion).toEqual({
        text: '{"a": "ä\n…"}',
        finish: 'stop',
        tokens: { input: 11, output: 7, estimated: false },
        model: 'gpt-5-test-served',
        requestId: 'req-1',
        seconds: expect.any(Number),
        usd: null,
        stored: false,
      });
      expect(server.requests).toHaveLength(1);
      expect(server.requests[0].headers.authorization).toBe(`Bearer ${KEY}`);
    });

    it('tells an answer that reached its limit from a refusal', async () => {
      const long = await ask({ kind: 'answer', text: 'Job1', finish: 'length', whole });
      expect(long.completion).toMatchObject({ finish: 'length', text: 'Job1' });
      const refused = await ask({ kind: 'answer', text: 'I will not.', finish: 'refusal', whole });
      expect(refused.completion).toMatchObject({ finish: 'refusal', text: 'I will not.' });
    });

    it('estimates the tokens that a server does not tell, and says so', async () => {
      const text = 'Job1 starts at 17.';
      const { completion } = await ask({ kind: 'answer', text, usage: false, whole });
      const [input, output] = [estimateInput(REQUEST), estimateTokens(text)];
      expect(completion.tokens).toEqual({ input, output, estimated: true });
      expect(input).toBeGreaterThan(10);
    });

    it('accepts an answer without words', async () => {
      const { completion } = await ask({ kind: 'answer', text: '', whole });
      expect(completion).toMatchObject({ text: '', finish: 'stop' });
    });

    it('takes an answer of the right form with nothing in it for none', async () => {
      expect((await fail({ kind: 'empty', whole })).code).toBe('BadResponse');
    });

    it('takes an answer that breaks off for none', async () => {
      expect((await fail({ kind: 'truncated', whole })).code).toBe('BadResponse');
      expect((await fail({ kind: 'reset', whole })).code).toBe('Connection');
    });

    it('ends in time when the server falls silent', async () => {
      const error = await fail({ kind: 'hang', after: 'half', whole }, TIMEOUT);
      expect(error).toMatchObject({
        code: 'Timeout',
        message: 'there was no whole answer in 0.08 s',
      });
    });

    it('hangs up on an answer without end', async () => {
      const server = await start(() => ({ kind: 'flood', bytes: 50e6, whole }));
      const answer = await create(server.url, 600)
        .complete(REQUEST, {})
        .catch((error) => error);
      if (whole) expect(answer).toMatchObject({ code: 'BadResponse' });
      else expect(answer).toMatchObject({ finish: 'length', tokens: { estimated: true } });
      expect(server.flooded).toBeLessThan(20e6);
      if (!whole) expect(answer.text.length).toBeLessThan(2e6);
    });
  });

  it('ends in time when the server says nothing at all', async () => {
    expect((await fail({ kind: 'hang', after: 'nothing' }, TIMEOUT)).code).toBe('Timeout');
  });

  it('ends at once, with the reason, when it is aborted', async () => {
    for (const behaviour of [
      { kind: 'hang', after: 'nothing' },
      { kind: 'hang', after: 'half' },
    ] as const) {
      const server = await start(() => behaviour);
      const controller = new AbortController();
      const asking = create(server.url, 600).complete(REQUEST, { signal: controller.signal });
      setTimeout(() => controller.abort(new Error('enough')), 30);
      await expect(asking).rejects.toThrow('enough');
    }
    const signal = AbortSignal.abort(new Error('never mind'));
    const server = await start(() => ({ kind: 'answer', text: 'x' }));
    await expect(create(server.url, 600).complete(REQUEST, { signal })).rejects.toThrow(
      'never mind',
    );
    expect(server.requests).toHaveLength(0);
  });

  it('tells how long a rate limit asks to wait, and makes one attempt only', async () => {
    const limited = (headers: Record<string, string>) =>
      fail({ kind: 'error', status: 429, code: 'rate_limit_error', headers });
    expect(await limited({ 'retry-after': '7' })).toMatchObject({
      code: 'RateLimited',
      retryAfterSeconds: 7,
      value: 429,
    });
    expect((await limited({ 'retry-after-ms': '1500' })).retryAfterSeconds).toBe(1.5);
    expect((await limited({})).retryAfterSeconds).toBe(null);
    expect((await limited({ 'retry-after': 'soon' })).retryAfterSeconds).toBe(null);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const { retryAfterSeconds } = await limited({ 'retry-after': date });
    expect(retryAfterSeconds).toBeGreaterThan(3000);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3600);

    const server = await start(() => ({ kind: 'error', status: 429 }));
    await create(server.url, 600)
      .complete(REQUEST, {})
      .catch(() => {});
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [500, 'api_error', 'oops', 'ServerError'],
    [529, 'overloaded_error', 'Overloaded', 'ServerError'],
    [401, 'authentication_error', 'who?', 'Unauthorized'],
    [403, 'permission_error', 'no', 'Unauthorized'],
    [429, 'insufficient_quota', 'You exceeded your current quota', 'Unauthorized'],
    [429, 'too_fast', 'please check your plan and billing details', 'RateLimited'],
    [400, 'invalid_request_error', 'Your credit balance is too low', 'Unauthorized'],
    [404, 'not_found_error', 'model: gpt-9', 'BadRequest'],
    [400, 'invalid_request_error', 'temperature: Extra inputs', 'BadRequest'],
    [
      400,
      'context_length_exceeded',
      "This model's maximum context length is 8192",
      'ContextTooLong',
    ],
    [400, 'invalid_request_error', 'prompt is too long: 300000 tokens', 'ContextTooLong'],
    [408, 'timeout', 'slow', 'Timeout'],
  ])('knows what a %d %s is', async (status, code, message, expected) => {
    const error = await fail({ kind: 'error', status, code, message });
    expect(error).toMatchObject({ code: expected, value: status });
    expect(error.message).toContain(message);
  });

  it('never repeats a key that a server echoes, wherever it is cut off', async () => {
    for (const padding of [0, 200, 270, 280, 290]) {
      const message = `${'x'.repeat(padding)} ${KEY}\nand ${encodeURIComponent(KEY)} are wrong`;
      const error = await fail({ kind: 'error', status: 401, message });
      expect(error.code).toBe('Unauthorized');
      expect(error.message).not.toContain(KEY.slice(0, 9));
    }
    const html = { 'content-type': 'text/html' };
    const page = await fail({ kind: 'raw', headers: html, body: `<p>Bearer ${KEY}</p>` });
    expect(page.message).toMatch(/text\/html.*\[redacted\]/);
    const { completion } = await ask({ kind: 'answer', text: `your key is ${KEY}` });
    expect(completion.text).toBe('your key is [redacted]');
  });

  it('says what came if that was no answer', async () => {
    const json = { 'content-type': 'application/json' };
    const events = { 'content-type': 'text/event-stream' };
    for (const behaviour of [
      { kind: 'raw', headers: { 'content-type': 'text/html' }, body: '<html>sign in</html>' },
      { kind: 'raw', headers: {}, body: '' },
      { kind: 'raw', headers: json, body: '[]' },
      { kind: 'raw', headers: json, body: 'null' },
      { kind: 'raw', headers: json, body: '{"choices": "none", "content": 5}' },
      { kind: 'raw', headers: events, body: 'event: x\ndata: {"broken\n\n' },
      { kind: 'raw', headers: events, body: 'event: x\ndata: 5\n\n' },
      { kind: 'raw', headers: events, body: '\0\0\xff' },
      { kind: 'raw', headers: events, body: '' },
    ] as const) {
      expect((await fail(behaviour)).code).toBe('BadResponse');
    }
  });

  it('reads a whole answer whatever type it is said to have', async () => {
    const plain = JSON.stringify({
      choices: [{ message: { content: 'fine' } }],
      content: [{ type: 'text', text: 'fine' }],
    });
    const behaviour = {
      kind: 'raw',
      headers: { 'content-type': 'text/plain' },
      body: plain,
    } as const;
    const { completion } = await ask(behaviour);
    expect(completion).toMatchObject({ text: 'fine', finish: 'stop', model: REQUEST.model });
  });

  it('knows an error that comes in the middle of an answer', async () => {
    const event =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const headers = { 'content-type': 'text/event-stream' };
    expect(await fail({ kind: 'raw', headers, body: event })).toMatchObject({
      code: 'ServerError',
      message: expect.stringContaining('Overloaded'),
    });
  });

  it('does not follow a server that sends it elsewhere', async () => {
    const other = await start(() => ({ kind: 'answer', text: 'caught' }));
    const headers = { location: `${other.url}/v1/messages` };
    const error = await fail({ kind: 'raw', status: 307, headers, body: '' });
    expect(error.code).toBe('BadRequest');
    expect(other.requests).toHaveLength(0);
  });

  it('hangs up on an event without end, however long the answer may be', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const event = 'data: x\n'.repeat(250_000);
    const request = { ...REQUEST, maxOutputTokens: 100_000 };
    const server = await start(() => ({ kind: 'raw', headers, body: `${event}\n${event}\n` }));
    const asking = create(server.url, 600).complete(request, {});
    await expect(asking).rejects.toThrow('it is far longer than was allowed');
  });

  it('reads errors of any length to a bound only', async () => {
    const server = await start(() => ({ kind: 'flood', bytes: 50e6, status: 500, whole: true }));
    const asking = create(server.url, 600).complete(REQUEST, {});
    await expect(asking).rejects.toMatchObject({ code: 'ServerError' });
    expect(server.flooded).toBeLessThan(20e6);
  });

  it('says that there is no connection', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const error = await create(`http://127.0.0.1:${port}`, 10)
      .complete(REQUEST, {})
      .catch((error) => error);
    expect(error).toMatchObject({ code: 'Connection' });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('asks for a shape and for sampling as the provider wants it', async () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    const shape = { name: 'plan', schema };
    const sampling = { temperature: 0.2, topP: 0.9, seed: 7 };
    const request = { ...REQUEST, shape, ...sampling, effort: 'low' };
    const { server } = await ask({ kind: 'answer', text: '{}' }, request);
    const { body, headers } = server.requests[0];
    expect(body).toMatchObject({ temperature: 0.2, top_p: 0.9, stream: true });
    if (headers['anthropic-version'] === undefined) {
      const format = { type: 'json_schema', json_schema: { name: 'plan', schema, strict: true } };
      expect(body).toMatchObject({ seed: 7, response_format: format, reasoning_effort: 'low' });
      expect(body).toMatchObject({ max_completion_tokens: 100 });
    } else {
      expect(body).toMatchObject({
        system: 'Plan well.',
        max_tokens: 100,
        output_config: { format: { type: 'json_schema', schema }, effort: 'low' },
      });
      expect(body).not.toHaveProperty('seed');
    }
  });
});

describe('the client of compatible servers', () => {
  it('sends max_tokens, and no key where there is none', async () => {
    const server = await startChatServer(() => ({ kind: 'answer', text: 'x' }));
    const client = createOpenAiClient({
      apiKey: null,
      baseUrl: `${server.url}/v1`,
      timeoutSeconds: 600,
      compatible: true,
    });
    await client.complete({ ...REQUEST, model: 'qwen3' }, {});
    const { headers, body } = server.requests[0];
    expect(headers.authorization).toBe(undefined);
    expect(body).toMatchObject({ model: 'qwen3', max_tokens: 100 });
    expect(body).not.toHaveProperty('max_completion_tokens');
  });

  it('knows an error that is sent as an answer', async () => {
    const server = await startChatServer(() => ({
      kind: 'raw',
      headers: { 'content-type': 'application/json' },
      body: '{"error": {"code": 429, "message": "slow down"}}',
    }));
    const client = createOpenAiClient({
      apiKey: null,
      baseUrl: `${server.url}/v1`,
      timeoutSeconds: 600,
      compatible: true,
    });
    await expect(client.complete({ ...REQUEST, model: 'm' }, {})).rejects.toMatchObject({
      code: 'RateLimited',
    });
  });
});
