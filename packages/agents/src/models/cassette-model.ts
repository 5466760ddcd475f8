import { readJsonFile } from '@alas-jssp/core/json-file';
import type { Json } from '@alas-jssp/workflow';
import {
  type Answer,
  createAttempt,
  estimateInput,
  estimateTokens,
  type Ledger,
  type LlmClient,
  LlmError,
  openLedger,
  PRICES,
  priceOf,
} from 'alas-jssp/llm';
import { type Cassette, cassetteSchema } from './cassette.js';
import type { Model } from './model.js';

/** Circumstances of a cassette. */
export interface CassetteOptions {
  /** Limits, as for models of providers: tokens are estimated, and handwritten answers cost nothing. */
  readonly ledger?: Ledger | undefined;
}

/** The hint for files that are no cassettes. */
const HINT = 'write one as docs/how-to/agents.md shows it, or record one';

/**
 * Opens a cassette as a model: it answers each key in the order of its answers, and the last one repeats.
 *
 * @throws InputError `no_file`, `bad_json`
 */
export function createCassetteModel(file: string, options: CassetteOptions = {}): Model {
  const cassette = readJsonFile(file, cassetteSchema, 'cassette', HINT);
  return playCassette(cassette, file, options);
}

/**
 * Makes a model of a cassette in memory.
 *
 * @param file its origin: part of the name of the model, and of errors
 */
export function playCassette(
  cassette: Cassette,
  file: string,
  { ledger = openLedger() }: CassetteOptions = {},
): Model {
  const name = `cassette:${file}`;
  const model = cassette.model ?? name;
  const known = priceOf(model, PRICES);
  const usdPerMillionTokens = { [model]: known ?? { input: 0, output: 0 } };
  const prices = { ...PRICES, usdPerMillionTokens };
  const isPriced = known !== null || cassette.origin === 'handwritten';
  const admission = ledger.admissionOf(name);
  const asked = new Map<string, number>();
  return {
    name,
    async ask(request, signal) {
      signal?.throwIfAborted();
      const { key, texts } = answersTo(cassette, file, request.key);
      const occurrence = request.occurrence ?? (asked.get(key) ?? 0) + 1;
      asked.set(key, occurrence);
      const text = texts[Math.min(occurrence, texts.length) - 1];
      const attempt = createAttempt({ client: clientOf(text), prices, admission });
      const { messages, shape, maxOutputTokens = Number.MAX_SAFE_INTEGER } = request;
      const answer = await attempt(
        { model, messages, shape, maxOutputTokens },
        { replicate: 0, signal },
      );
      return { ...answer, stored: true, usd: isPriced ? answer.usd : null };
    },
  };
}

/** A client that gives one answer, so that limits apply to it as to those of providers. */
function clientOf(text: string): LlmClient {
  return {
    complete: async (request): Promise<Answer> => ({
      text,
      finish: 'stop',
      tokens: { input: estimateInput(request), output: estimateTokens(text), estimated: true },
      model: request.model,
      requestId: null,
      seconds: 0,
      usd: null,
      stored: false,
    }),
  };
}

/**
 * The answers to a key: those of the key itself, or of the node without its place in loops: `agent/loop[2]/write` is
 * answered by `agent/write`, too.
 *
 * @throws LlmError `MissingAnswer`
 */
function answersTo({ answers }: Cassette, file: string, key: string) {
  const [purpose, ...path] = key.split('/');
  const node = path.at(-1)?.replace(/\[[^\]]*\]$/, '');
  const candidates = [key, `${purpose}/${node}`];
  const found = candidates.find((candidate) => Object.hasOwn(answers, candidate));
  if (found !== undefined) return { key: found, texts: answers[found].map(asText) };
  const keys = Object.keys(answers);
  throw new LlmError(
    'MissingAnswer',
    `the cassette ${file} has no answer to '${key}': add one under answers, where its keys are ${
      keys.length === 0 ? 'none so far' : keys.join(', ')
    }`,
    key,
  );
}

function asText(answer: Json): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
