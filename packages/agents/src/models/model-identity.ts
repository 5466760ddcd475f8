import { isModelSpec, modelOf } from 'alas-jssp/llm';

/**
 * The model behind a specification: settings do not make another model of it, and stored answers are those of the model
 * that gave them.
 */
export function modelIdentity(spec: string): string {
  if (!isModelSpec(spec)) return spec;
  try {
    const { provider, model, url } = modelOf(spec);
    return url === undefined ? `${provider}:${model}` : `${provider}:${model}@${url}`;
  } catch {
    // The directory of a replay may be gone.
    return spec;
  }
}
