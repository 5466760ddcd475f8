import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { parse } from 'dotenv';
import { LlmError } from './errors.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  'openai-compatible': 'OPENAI_COMPATIBLE_API_KEY',
} as const;

/** Keys of providers whose servers are known. */
const NAMES_BY_HOST: Readonly<Record<string, string>> = {
  'api.deepseek.com': 'DEEPSEEK_API_KEY',
  'generativelanguage.googleapis.com': 'GEMINI_API_KEY',
};

/** The variables that hold keys, those of providers first. */
export const keyNames: readonly string[] = [
  ...Object.values(NAMES),
  ...Object.values(NAMES_BY_HOST),
];

/**
 * The environment, extended by a `.env` file; non-empty variables of the environment take precedence.
 *
 * @param file may be missing
 * @throws InputError `no_file` if it exists and cannot be read
 */
export function readEnvironment(environment: Environment, file = '.env'): Environment {
  if (!existsSync(file)) return environment;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      'no_file',
      `the file cannot be read (${code})`,
      'make it a readable file of NAME=value lines, or remove it',
      { file },
    );
  }
  const set = Object.entries(environment).filter(([, value]) => value?.trim());
  return { ...parse(text), ...Object.fromEntries(set) };
}

/**
 * The key for a provider: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`; for compatible servers the key of the host
 * (`DEEPSEEK_API_KEY`, `GEMINI_API_KEY`), for any other `OPENAI_COMPATIBLE_API_KEY`.
 *
 * @param target the provider, and for a compatible server its base URL
 * @returns null if there is no key and the server may not need one
 * @throws LlmError `MissingKey` if the provider needs one, or if the value cannot be a key
 */
export function keyFor(
  target: { readonly provider: keyof typeof NAMES; readonly url?: string | undefined },
  environment: Environment,
): string | null {
  const host = target.url === undefined ? '' : new URL(target.url).hostname;
  const name = NAMES_BY_HOST[host] ?? NAMES[target.provider];
  const key = environment[name]?.trim();
  if (!key) {
    if (name === NAMES['openai-compatible']) return null;
    throw new LlmError(
      'MissingKey',
      `there is no key for ${host || target.provider}: set ${name} in the environment or in a .env file`,
      name,
    );
  }
  // An error from another library about such a key would print it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new LlmError(
    'MissingKey',
    `the value of ${name} is no valid key: it contains blanks or unusual characters`,
    name,
  );
}
