import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { splitPlannerName } from '../jssp/planner-name.js';

export const PROVIDERS = ['openai', 'anthropic', 'openai-compatible'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Ways in which agents share the work. */
export const TOPOLOGIES = ['single', 'group-chat', 'crew', 'graph', 'swarm', 'alas'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** Output formats of a schedule. */
export const FORMATS = ['entries', 'csv', 'sequences'] as const;
export type PlanFormat = (typeof FORMATS)[number];

/** Efforts of reasoning, from the least to the most; no provider has all of them. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Efforts that Anthropic does not have. */
const NOT_ANTHROPIC: readonly string[] = ['none', 'minimal'];

/** Settings after `#` in the specification of a model. */
export interface ModelSettings {
  /** Default: `single`. */
  readonly topology: Topology;
  /** Default: `sequences`. */
  readonly format: PlanFormat;
  /** 0 to 2; default: the provider's. */
  readonly temperature?: number;
  /** Above 0, up to 1; default: the provider's. */
  readonly topP?: number;
  /** Default: none. */
  readonly seed?: number;
  /** Effort of reasoning; default: the provider's. */
  readonly effort?: (typeof EFFORTS)[number];
  /** File of a template for the prompts; default: none. */
  readonly prompt?: string;
  /** Maximum tokens of an answer. Default: 16384, but at most half of the context. */
  readonly maxOutputTokens: number;
  /** Maximum tokens of a prompt and its answer together. Default: 128000. */
  readonly contextTokens: number;
  /** Whether the provider receives the schema of the answer. Default: true. */
  readonly structured: boolean;
  /** Limit of one attempt. Default: 600. */
  readonly timeoutSeconds: number;
  /** Attempts at a request before it fails. Default: 5. */
  readonly attempts: number;
}

/** A planner that uses a model. */
export interface ModelSpec {
  readonly provider: Provider;
  readonly model: string;
  /** The base URL of a compatible server, without a slash at its end. */
  readonly url?: string;
  readonly settings: ModelSettings;
}

/** A planner that replays stored answers of the planner `spec`, or of the only stored one. */
export interface ReplaySpec {
  readonly provider: 'replay';
  readonly directory: string;
  readonly spec: ModelSpec | null;
}

type Value = string | number | boolean;

/** A setting: its key, and how its value is read from and written as text. */
interface ModelSetting {
  readonly field: keyof ModelSettings;
  readonly values: string;
  readonly read: (text: string) => Value | undefined;
}

const SETTINGS: Readonly<Record<string, ModelSetting>> = {
  topology: oneOf('topology', TOPOLOGIES),
  format: oneOf('format', FORMATS),
  temperature: number('temperature', 'a number from 0 to 2', (x) => x >= 0 && x <= 2),
  'top-p': number('topP', 'a number above 0, up to 1', (x) => x > 0 && x <= 1),
  seed: number('seed', 'an integer', Number.isSafeInteger),
  effort: oneOf('effort', EFFORTS),
  prompt: { field: 'prompt', values: 'a file', read: (text) => (text === '' ? undefined : text) },
  'max-output': count('maxOutputTokens'),
  context: count('contextTokens'),
  structured: { field: 'structured', values: 'yes or no', read: (text) => YES_OR_NO.get(text) },
  timeout: number('timeoutSeconds', 'seconds, from 0.001 to 86400', (x) => x >= 1e-3 && x <= 86400),
  attempts: count('attempts'),
};

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
]);

/** Default number of attempts at a request. */
export const ATTEMPTS = 5;

const CONTEXT = 128_000;
const MAX_OUTPUT = 16_384;

/** True if a planner specification, perhaps after a name (`NAME=`), uses a model, or replays one. */
export function isModelSpec(text: string): boolean {
  const { spec } = splitPlannerName(text);
  return [...PROVIDERS, 'replay'].some((provider) => spec.startsWith(`${provider}:`));
}

/**
 * Reads the specification of a planner that asks a model: `openai:MODEL`, `anthropic:MODEL` or
 * `openai-compatible:MODEL@URL`, each with optional settings, such as `openai:gpt-4o#topology=crew,temperature=0.2`; or
 * `replay:DIR`, `replay:DIR#SPEC`. A name before it (`NAME=`) is not part of the result.
 *
 * @throws InputError `bad_planner` with the problem and a hint
 */
export function parsePlannerSpec(text: string): ModelSpec | ReplaySpec {
  const { spec } = splitPlannerName(text);
  return spec.startsWith('replay:') ? parseReplay(spec) : parseModel(spec);
}

/** Writes a specification without defaults; parsing it gives the same specification. */
export function formatPlannerSpec(spec: ModelSpec | ReplaySpec): string {
  if (spec.provider === 'replay') {
    return `replay:${spec.directory}${spec.spec ? `#${formatPlannerSpec(spec.spec)}` : ''}`;
  }
  const defaults = withDefaults({ contextTokens: spec.settings.contextTokens });
  const parts = Object.entries(SETTINGS).flatMap(([key, { field }]) => {
    const value = spec.settings[field];
    const usual = field === 'contextTokens' ? CONTEXT : defaults[field];
    if (value === undefined || value === usual) return [];
    return `${key}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`;
  });
  const settings = parts.length === 0 ? '' : `#${parts.join(',')}`;
  return `${spec.provider}:${spec.model}${spec.url ? `@${spec.url}` : ''}${settings}`;
}

function parseReplay(text: string): ReplaySpec {
  const [directory, inner] = splitAtHash(text.slice('replay:'.length));
  if (directory === '') throw bad('no directory is named', 'write replay:DIR', text);
  if (inner === null) return { provider: 'replay', directory, spec: null };
  const spec = parsePlannerSpec(inner);
  if (spec.provider !== 'replay') return { provider: 'replay', directory, spec };
  throw bad(`'${inner}' is a replay itself`, 'name the planner that was recorded', text);
}

function parseModel(text: string): ModelSpec {
  const colon = text.indexOf(':');
  const prefix = text.slice(0, Math.max(colon, 0));
  const provider = PROVIDERS.find((known) => known === prefix);
  if (provider === undefined) {
    throw bad(`'${text}' names no provider of models`, suggestNames(prefix, PROVIDERS), text);
  }
  const [name, settingsText] = splitAtHash(text.slice(colon + 1));
  const settings = settingsText === null ? withDefaults({}) : parseSettings(settingsText);
  if (provider === 'anthropic' && NOT_ANTHROPIC.includes(settings.effort ?? '')) {
    const efforts = EFFORTS.filter((effort) => !NOT_ANTHROPIC.includes(effort));
    throw bad(
      `Anthropic has no effort '${settings.effort}'`,
      `use one of ${efforts.join(', ')}`,
      text,
    );
  }
  if (provider !== 'openai-compatible') {
    if (name !== '' && !/@https?:\/\//.test(name)) return { provider, model: name, settings };
    const hint = `write ${provider}:MODEL, or openai-compatible:MODEL@URL for another server`;
    throw bad(name === '' ? 'no model is named' : `${provider} takes no URL`, hint, text);
  }
  const parts = /^(.+)@(https?:\/\/.+)$/.exec(name);
  if (parts === null) {
    const hint = 'write openai-compatible:MODEL@URL, such as qwen3@http://127.0.0.1:8080/v1';
    throw bad('the model or the URL of the server is missing', hint, text);
  }
  return { provider, model: parts[1], url: checkUrl(parts[2]), settings };
}

/**
 * The base URL of a server, without a slash at its end. It appears in records and errors, so it must not contain a
 * password or key.
 *
 * @throws InputError `bad_planner`
 */
export function checkUrl(text: string): string {
  if (!URL.canParse(text)) throw bad(`'${text}' is no URL`, 'write http://HOST:PORT/v1', text);
  const { username, password, search } = new URL(text);
  if (username === '' && password === '' && search === '') return text.replace(/\/+$/, '');
  // The text may contain a secret, so the error does not repeat it.
  throw bad(
    'the URL of a server must not hold a user, a password or a query',
    'give the key in a variable of the environment, such as OPENAI_COMPATIBLE_API_KEY',
  );
}

function parseSettings(text: string): ModelSettings {
  const found: Record<string, Value> = {};
  for (const part of text.split(',')) {
    const [key, ...rest] = part.split('=').map((side) => side.trim());
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (setting === undefined) {
      throw bad(`there is no setting '${key}'`, suggestNames(key, Object.keys(SETTINGS)), part);
    }
    if (setting.field in found) throw bad(`'${key}' is set twice`, 'set it once', part);
    const value = setting.read(rest.join('='));
    if (value === undefined) {
      throw bad(`'${part.trim()}' is not understood`, `${key} is ${setting.values}`, part);
    }
    found[setting.field] = value;
  }
  const settings = withDefaults(found);
  if (settings.maxOutputTokens < settings.contextTokens) return settings;
  throw bad(
    `max-output=${settings.maxOutputTokens} leaves no room for a prompt in context=${settings.contextTokens}`,
    'make the context larger or the output smaller',
    text,
  );
}

function withDefaults(found: Partial<ModelSettings>): ModelSettings {
  const contextTokens = found.contextTokens ?? CONTEXT;
  return {
    topology: 'single',
    format: 'sequences',
    maxOutputTokens: Math.min(MAX_OUTPUT, Math.ceil(contextTokens / 2)),
    structured: true,
    timeoutSeconds: 600,
    attempts: ATTEMPTS,
    ...found,
    contextTokens,
  };
}

function oneOf(field: keyof ModelSettings, names: readonly string[]): ModelSetting {
  const read = (text: string) => names.find((name) => name === text);
  return { field, values: `one of ${names.join(', ')}`, read };
}

function number(
  field: keyof ModelSettings,
  values: string,
  holds: (value: number) => boolean,
): ModelSetting {
  const read = (text: string) => (text !== '' && holds(Number(text)) ? Number(text) : undefined);
  return { field, values, read };
}

function count(field: keyof ModelSettings): ModelSetting {
  return number(field, 'a whole number from 1', (x) => Number.isSafeInteger(x) && x >= 1);
}

function splitAtHash(text: string): [string, string | null] {
  const hash = text.indexOf('#');
  return hash < 0 ? [text, null] : [text.slice(0, hash), text.slice(hash + 1)];
}

function bad(problem: string, hint: string, value?: string): InputError {
  return new InputError('bad_planner', problem, hint, {}, value);
}
