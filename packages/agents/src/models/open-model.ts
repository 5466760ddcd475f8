import { InputError } from '@alas-jssp/core/errors';
import {
  type AskWait,
  type BudgetLimits,
  createAsk,
  createAttempt,
  createClient,
  type Environment,
  insistOnPrice,
  isModelSpec,
  type Ledger,
  type LlmRequest,
  type ModelSettings,
  modelOf,
  openAnswerStore,
  openLedger,
  PRICES,
  type Prices,
  parsePlannerSpec,
} from 'alas-jssp/llm';
import { createCassetteModel } from './cassette-model.js';
import type { Model, ModelRequest } from './model.js';
import { recordCassette } from './record-cassette.js';

/** Circumstances of a model. */
export interface OpenModelOptions {
  /** Variables with the keys of providers, see `readEnvironment` of `alas-jssp/llm`. */
  readonly environment: Environment;
  /** Limits of all requests to this model. Ignored if `ledger` is given. */
  readonly budget?: BudgetLimits | undefined;
  /** Limits that several models share, from `openLedger` of `alas-jssp/llm`. */
  readonly ledger?: Ledger | undefined;
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined;
  /** A file to which a cassette of all answers is written. */
  readonly record?: string | undefined;
  /** A directory of answers: an equal request is not sent again; `replay:DIR` reads such a directory. */
  readonly answers?: string | undefined;
  /** Default: the table of `alas-jssp/llm`. */
  readonly prices?: Prices | undefined;
  readonly onWait?: ((wait: AskWait) => void) | undefined;
}

/** The prefix of specifications of cassettes. */
const CASSETTE = 'cassette:';

/**
 * Opens a model by its specification: `openai:MODEL`, `anthropic:MODEL`, `openai-compatible:MODEL@URL`, each with
 * settings after `#`; `replay:DIR`; or `cassette:FILE`.
 *
 * @throws InputError `bad_model`, `bad_planner`, `no_file`, `bad_json`, `no_price`; LlmError `MissingKey`
 */
export async function openModel(spec: string, options: OpenModelOptions): Promise<Model> {
  const ledger = options.ledger ?? openLedger({ budget: options.budget });
  const model = spec.startsWith(CASSETTE)
    ? createCassetteModel(spec.slice(CASSETTE.length), { ...options, ledger })
    : await openProvider(spec, { ...options, ledger });
  const { signal, record } = options;
  const stopped = signal === undefined ? model : withSignal(model, signal);
  return record === undefined ? stopped : recordCassette(stopped, record);
}

/**
 * Checks a specification of a model without opening it.
 *
 * @throws InputError as {@link openModel}
 */
export function requireModelSpec(spec: string): void {
  if (spec.startsWith(CASSETTE)) {
    if (spec !== CASSETTE) return;
    throw bad('no cassette is named', 'write cassette:FILE', spec);
  }
  if (!isModelSpec(spec)) {
    throw bad(
      `'${spec}' names no model`,
      'write openai:MODEL, anthropic:MODEL, openai-compatible:MODEL@URL, replay:DIR or cassette:FILE',
      spec,
    );
  }
  const parsed = parsePlannerSpec(spec);
  const settings = parsed.provider === 'replay' ? parsed.spec?.settings : parsed.settings;
  if (settings !== undefined) refuseSettingsOfSchedules(settings, spec);
}

/** Settings of planners of schedules would change nothing here. */
function refuseSettingsOfSchedules(
  { topology, format, prompt }: ModelSettings,
  spec: string,
): void {
  const given = [
    topology === 'single' ? [] : 'topology',
    format === 'sequences' ? [] : 'format',
    prompt === undefined ? [] : 'prompt',
  ].flat();
  if (given.length === 0) return;
  const [setting] = given;
  throw bad(`'${setting}' is a setting of planners of schedules`, `omit ${setting}`, spec);
}

async function openProvider(
  spec: string,
  options: OpenModelOptions & { readonly ledger: Ledger },
): Promise<Model> {
  const { environment, ledger, answers, prices = PRICES, onWait } = options;
  requireModelSpec(spec);
  const parsed = parsePlannerSpec(spec);
  const model = modelOf(spec);
  const isReplay = parsed.provider === 'replay';
  const admission = ledger.admissionOf(model.url ?? model.provider);
  if (!isReplay && (admission.limits.usd ?? null) !== null) insistOnPrice(model.model, prices);
  const client = isReplay ? null : await createClient(model, environment);
  const directory = isReplay ? parsed.directory : answers;
  const store = directory === undefined ? undefined : openAnswerStore(directory, spec);
  const attempt = createAttempt({ client, store, prices, admission });
  const { attempts } = model.settings;
  const ask = createAsk(attempt, { attempts, onWait });
  return {
    name: spec,
    ask: (request, signal) =>
      ask(llmRequest(model.model, model.settings, request), {
        replicate: (request.occurrence ?? 1) - 1,
        signal,
      }),
  };
}

/** The request to a provider: settings of the specification, and the shape if the provider gets schemas. */
function llmRequest(model: string, settings: ModelSettings, request: ModelRequest): LlmRequest {
  const { temperature, topP, seed, effort, structured } = settings;
  const { messages, shape, maxOutputTokens, occurrence = 1 } = request;
  return {
    model,
    messages,
    maxOutputTokens: Math.min(maxOutputTokens ?? Infinity, settings.maxOutputTokens),
    ...(structured && shape !== undefined && { shape }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    // Such a model gives equal answers for equal prompts and seeds.
    ...(seed !== undefined && { seed: seed + occurrence - 1 }),
    ...(effort !== undefined && { effort }),
  };
}

function withSignal(model: Model, signal: AbortSignal): Model {
  return {
    name: model.name,
    ask: (request, own) =>
      model.ask(request, own === undefined ? signal : AbortSignal.any([signal, own])),
  };
}

function bad(problem: string, hint: string, spec: string): InputError {
  return new InputError('bad_model', problem, hint, {}, spec);
}
