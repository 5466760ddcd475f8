import { secretsOf } from '@alas-jssp/core/secret-text';
import type { LlmClient } from '../client.js';
import { type Environment, keyFor } from '../keys.js';
import { checkUrl, type ModelSpec } from '../planner-spec.js';

const OPENAI = 'https://api.openai.com/v1';
const ANTHROPIC = 'https://api.anthropic.com';

/**
 * Makes the client of a planner's model. The provider's library is loaded on demand. As in the libraries,
 * `OPENAI_BASE_URL` and `ANTHROPIC_BASE_URL` select other servers for the two providers.
 *
 * @throws LlmError `MissingKey` if the provider needs a key and there is none; InputError `bad_planner` for an invalid
 *   base URL, or one that contains secrets
 */
export async function createClient(spec: ModelSpec, environment: Environment): Promise<LlmClient> {
  const options = {
    apiKey: keyFor(spec, environment),
    timeoutSeconds: spec.settings.timeoutSeconds,
    secrets: secretsOf(environment),
  };
  if (spec.provider === 'anthropic') {
    const { createAnthropicClient } = await import('./anthropic.js');
    return createAnthropicClient({
      ...options,
      baseUrl: checkUrl(environment.ANTHROPIC_BASE_URL || ANTHROPIC),
    });
  }
  const { createOpenAiClient } = await import('./openai.js');
  const baseUrl = spec.url ?? checkUrl(environment.OPENAI_BASE_URL || OPENAI);
  return createOpenAiClient({ ...options, baseUrl, compatible: spec.url !== undefined });
}
