import { type Answer, estimateTokens } from 'alas-jssp/llm';

/** An answer of a model of a test. */
export function estimatedAnswer(text: string): Answer {
  return {
    text,
    finish: 'stop',
    tokens: { input: 1, output: estimateTokens(text), estimated: true },
    model: 'test',
    requestId: null,
    seconds: 0,
    usd: 0,
    stored: false,
  };
}
