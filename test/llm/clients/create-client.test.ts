import { expect, test } from 'vitest';
import type { LlmRequest } from '../../../src/llm/client.js';
import { createClient } from '../../../src/llm/clients/create-client.js';
import type { Environment } from '../../../src/llm/keys.js';
import { type ModelSpec, parsePlannerSpec } from '../../../src/llm/planner-spec.js';
import { startChatServer } from '../servers/chat-completions.js';
import { startMessagesServer } from '../servers/messages.js';

const request: LlmRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'x' }],
  maxOutputTokens: 10,
};
const create = (spec: string, environment: Environment) =>
  createClient(parsePlannerSpec(spec) as ModelSpec, environment);

test('the client of a planner has the key and the server of its provider', async () => {
  const text = 'keys: key-of-openai and key-of-anthropic';
  const chat = await startChatServer(() => ({ kind: 'answer', text }));
  const messages = await startMessagesServer(() => ({ kind: 'answer', text }));
  const environment = {
    OPENAI_API_KEY: 'key-of-openai',
    OPENAI_BASE_URL: `${chat.url}/v1`,
    ANTHROPIC_API_KEY: 'key-of-anthropic',
    ANTHROPIC_BASE_URL: messages.url,
  };
  for (const spec of ['openai:m', 'anthropic:m', `openai-compatible:m@${chat.url}/v1/`]) {
    const completion = await (await create(spec, environment)).complete(request, {});
    // Each takes out the keys of all.
    expect(completion.text).toBe('keys: [redacted] and [redacted]');
  }
  const keys = [...chat.requests, ...messages.requests].map(({ headers }) => headers.authorization);
  expect(keys).toEqual(['Bearer key-of-openai', undefined, 'Bearer key-of-anthropic']);
  expect(chat.requests[1].body).toMatchObject({ max_tokens: 10 });
});

test('a planner without its key is refused before it asks', async () => {
  await expect(create('anthropic:m', {})).rejects.toMatchObject({ code: 'MissingKey' });
});

test('a server whose address holds a password is refused, and the password is not told', async () => {
  const url = 'http://user:very-secret@127.0.0.1:1/v1';
  const environment = { OPENAI_API_KEY: 'key-of-openai', ANTHROPIC_API_KEY: 'key-of-anthropic' };
  const openai = create('openai:m', { ...environment, OPENAI_BASE_URL: url });
  const anthropic = create('anthropic:m', { ...environment, ANTHROPIC_BASE_URL: url });
  for (const made of [openai, anthropic]) {
    const error = await made
      .then((client) => client.complete(request, {}))
      .catch((error: Error) => error);
    expect(error).toMatchObject({ code: 'bad_planner' });
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('very-secret');
  }
});
