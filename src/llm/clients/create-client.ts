import { secretsOf } from '../../core/secret-text.js';
import type { LlmClient } from '../client.js';
import { type Environment, keyFor } from '../keys.js';
import { checkUrl, type ModelSpec } from '../planner-spec.js';

const OPENAI = 'https://api.openai.com/v1';
const ANTHROPIC = 'https://api.anthropic.com';

/**
 * Makes the client of a planner's model. The libraries of the providers are loaded only now. As in
 * these, `OPENAI_BASE_URL` and `ANTHROPIC_BASE_URL` name other servers for the two providers.
 *
 * @throws LlmError `MissingKey` if the provider wants a key and there is none; InputError `bad_planner` for
 *   a base URL that holds secrets or is none
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
