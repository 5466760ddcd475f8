import { describe, expect, it } from 'vitest';
import type { LlmRequest } from '../../../src/llm/client.js';
import { attempt, NO_REPLY } from '../../../src/llm/clients/attempt.js';

const request: LlmRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'x' }],
  maxOutputTokens: 10,
};
const options = { apiKey: null, baseUrl: 'http://none', timeoutSeconds: 0.03 };
const never = () => new Promise<never>(() => {});

describe('an attempt', () => {
  it('ends in time even if a library never does', async () => {
    await expect(attempt(request, undefined, options, never)).rejects.toMatchObject({
      code: 'Timeout',
    });
  });

  it('tells the library when it is over', async () => {
    let told: AbortSignal | undefined;
    await attempt(request, undefined, options, async (signal) => {
      told = signal;
      return { ...NO_REPLY, finish: 'stop' };
    });
    expect(told?.aborted).toBe(true);
  });

  it('makes one of our errors of whatever is thrown', async () => {
    const throwing = (error: unknown) =>
      attempt(request, undefined, { ...options, secrets: ['sk-12345678'] }, () => {
        throw error;
      });
    await expect(throwing('sk-12345678')).rejects.toMatchObject({
      code: 'Connection',
      message: 'the connection failed: [redacted]',
    });
    const deep = new TypeError('fetch failed', {
      cause: Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' }),
    });
    await expect(throwing(deep)).rejects.toMatchObject({ code: 'Timeout' });
  });
});
