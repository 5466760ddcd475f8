import type { Answer, AnswerShape, Message } from 'alas-jssp/llm';

/** A request to a model. */
export interface ModelRequest {
  /** The purpose of the request, such as `roles` or `agent/draft-letter`: a cassette finds its answer by it. */
  readonly key: string;
  readonly messages: readonly Message[];
  /** The schema of the answer, for providers that can enforce one. */
  readonly shape?: AnswerShape | undefined;
  /** Default and maximum: that of the specification of the model. */
  readonly maxOutputTokens?: number | undefined;
  /**
   * The number of the request among those with its key, from 1: a cassette gives the answer of that number, also in a
   * resumed run. Default: a cassette counts since it was opened; for others 1.
   */
  readonly occurrence?: number | undefined;
}

/** A model that answers requests: at a provider, recorded, or handwritten. */
export interface Model {
  /** Its specification, such as `openai:gpt-4o` or `cassette:refund.cassette.json`. */
  readonly name: string;
  /**
   * Asks the model, with the retries and limits of its specification.
   *
   * @throws LlmError, also `MissingAnswer` from a cassette without an answer to the key
   */
  ask(request: ModelRequest, signal?: AbortSignal): Promise<Answer>;
}
