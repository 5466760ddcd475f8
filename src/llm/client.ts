/** One message of a conversation with a model. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The shape that an answer is to have, for providers that can enforce one. */
export interface AnswerShape {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** A JSON Schema of an object, every property required, none additional. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Settings of how a model samples; what is absent is left to the provider. */
export interface Sampling {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  /** Sent only to providers that have this setting. */
  readonly seed?: number | undefined;
  /** Effort of reasoning, as providers call it: `low`, `medium`, `high` and others. */
  readonly effort?: string | undefined;
}

/** One question to a model. Its hash, with the replicate, is the key of its answer. */
export interface LlmRequest extends Sampling {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Asked for through the provider's structured output; absent for plain text. */
  readonly shape?: AnswerShape | undefined;
  readonly maxOutputTokens: number;
}

/** The reason why a model stopped: it was done, its output limit was reached, or it would not answer. */
export type FinishReason = 'stop' | 'length' | 'refusal';

/** Tokens of one or several completions. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
  /** Whether a part was estimated, because the provider did not report it. */
  readonly estimated: boolean;
}

/** The answer of a model. */
export interface Completion {
  /** The answer; of a structured one, its JSON text. */
  readonly text: string;
  readonly finish: FinishReason;
  readonly tokens: TokenCount;
  /** As the provider names it: often more exact than what was asked for. */
  readonly model: string;
  /** The provider's id of the answer, to look it up there; null if it gave none. */
  readonly requestId: string | null;
  /** From the question to the end of the answer. */
  readonly seconds: number;
}

/** A provider of models: one attempt a call; the caller decides about retries. */
export interface LlmClient {
  /**
   * @throws LlmError with a code that says whether a retry may help; the reason of the
   *   signal once that is aborted
   */
  complete(
    request: LlmRequest,
    context: { readonly signal?: AbortSignal | undefined },
  ): Promise<Completion>;
}

/** An answer, and what it cost. */
export interface Answer extends Completion {
  /**
   * Its price when it was asked, by the price table of then; null if the model was not in it. So a
   * stored answer keeps its price, although nothing is spent on it now.
   */
  readonly usd: number | null;
  /** Whether it was read from a store of answers instead of asked for. */
  readonly stored: boolean;
}

/**
 * Asks a model, however many attempts, waits and limits that takes: all that agents and planners know of
 * providers.
 *
 * @throws LlmError `BudgetSpent` if the run may not ask any more
 */
export type Ask = (
  request: LlmRequest,
  context: { readonly replicate: number; readonly signal?: AbortSignal | undefined },
) => Promise<Answer>;
