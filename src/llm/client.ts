/** One message of a conversation with a model. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The required shape of an answer, for providers that can enforce one. */
export interface AnswerShape {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** A JSON Schema of an object, every property required, none additional. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Sampling settings of a model; absent ones use the provider's default. */
export interface Sampling {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  /** Sent only to providers that have this setting. */
  readonly seed?: number | undefined;
  /** Effort of reasoning, as providers call it: `low`, `medium`, `high` and others. */
  readonly effort?: string | undefined;
}

/** A request to a model. Its hash, with the replicate, is the key of its answer. */
export interface LlmRequest extends Sampling {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Requested as the provider's structured output; absent for plain text. */
  readonly shape?: AnswerShape | undefined;
  readonly maxOutputTokens: number;
}

/** The reason why a model stopped: it was done, it reached its output limit, or it refused to answer. */
export type FinishReason = 'stop' | 'length' | 'refusal';

/** Tokens of one or several answers. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
  /** Whether a part is an estimate, because the provider did not report it. */
  readonly estimated: boolean;
}

/** The answer of a model: from its client to the store, the log and the report. */
export interface Answer {
  /** The answer; if it is structured, its JSON text. */
  readonly text: string;
  readonly finish: FinishReason;
  readonly tokens: TokenCount;
  /** The provider's name of the model, often more exact than the requested one. */
  readonly model: string;
  /** The provider's id of the answer, to look it up there; null if it gave none. */
  readonly requestId: string | null;
  /** From the request to the end of the answer. */
  readonly seconds: number;
  /**
   * Its price at the time of the request; null if the price table did not list the model, and from a client, which
   * knows no prices. A stored answer keeps its price, although it costs nothing now.
   */
  readonly usd: number | null;
  /** Whether it was read from a store. */
  readonly stored: boolean;
}

/** A provider of models: one attempt per call; the caller decides about retries. */
export interface LlmClient {
  /**
   * @throws LlmError with a code that says whether a retry may help; the reason of the
   *   signal once that is aborted
   */
  complete(
    request: LlmRequest,
    context: { readonly signal?: AbortSignal | undefined },
  ): Promise<Answer>;
}

/**
 * Sends a request to a model, with all attempts, waits and limits: the only interface of agents and planners to
 * providers.
 *
 * @throws LlmError `BudgetSpent` if the run may not send more requests
 */
export type Ask = (
  request: LlmRequest,
  context: { readonly replicate: number; readonly signal?: AbortSignal | undefined },
) => Promise<Answer>;
