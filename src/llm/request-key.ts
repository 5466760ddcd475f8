import { createHash } from 'node:crypto';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { LlmRequest } from './client.js';
import { estimateTokens } from './token-estimate.js';

/** Approximate tokens that a provider adds to each message as a separator. */
const TOKENS_PER_MESSAGE = 4;

/**
 * The key of an answer: SHA-256, in hexadecimal, of the canonical JSON of the request and the replicate. The server is
 * not part of it.
 */
export function requestKey(request: LlmRequest, replicate: number): string {
  return createHash('sha256').update(canonicalJson({ request, replicate })).digest('hex');
}

/** Approximate tokens of a request that its provider counts as input. */
export function estimateInput({ messages, shape }: LlmRequest): number {
  const contents = messages.map(({ content }) => estimateTokens(content) + TOKENS_PER_MESSAGE);
  const schema = shape === undefined ? 0 : estimateTokens(JSON.stringify(shape.schema));
  return contents.reduce((sum, tokens) => sum + tokens, schema);
}
