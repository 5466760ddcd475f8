import { isSecretKey } from './secret-names.js';

/** The text that replaces a secret inside of another text. */
export const REDACTED = '[redacted]';

/** Replaces secrets in texts: known secrets, also in URL encoding, and anything that looks like a key. */
export interface SecretText {
  /** Adds a known secret. */
  add(secret: string): void;
  /** Whether a text contains a secret. */
  isIn(text: string): boolean;
  /** The text with every secret replaced by `[redacted]`. */
  clean(text: string): string;
  /** The same for an identifier, in which only known secrets are replaced. */
  cleanName(text: string): string;
}

/** Keys in the formats of their issuers, which are found without being configured. */
const KEYS = [
  // OpenAI, Anthropic and compatible services: with a digit, or long; otherwise it may be a word.
  String.raw`\bsk-(?:(?=[\w-]*\d)[\w-]{8,}|[\w-]{20,})`,
  String.raw`\b[rs]k_(?:live|test)_\w{8,}`,
  String.raw`\b(?:gh[opsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})`,
  String.raw`\bA(?:KIA|SIA)[0-9A-Z]{16}\b`,
  String.raw`\bAIza[\w-]{30,}`,
  String.raw`\bxox[abeoprs]-[\w-]{10,}`,
  String.raw`\b(?:npm|hf)_[A-Za-z0-9]{30,}`,
  // JSON Web Tokens.
  String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}`,
  String.raw`\bBearer [\w.~+/-]{16,}=*`,
  String.raw`\bBasic [\w+/-]{12,}=*`,
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----`,
].join('|');
const SHORTEST_KEY = 'sk-'.length + 8;
const ANY_KEY = new RegExp(KEYS);
const EVERY_KEY = new RegExp(KEYS, 'g');

/** The password of a URL, such as `postgres://user:password@host`. */
const PASSWORD_OF_URL =
  /(\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/?#]{0,200}:)([^\s@/?#]{1,1000})(?=@)/gi;

/** Names and their values in texts: in JSON, JSON inside JSON, settings such as `DB_PASSWORD=…`, options and prose. */
const NAMED_VALUES = [
  /("([\w .-]{1,64})"\s{0,9}:\s{0,9}"?)((?<=")(?:[^"\\]|\\.)+|(?<!")-?\d[\d.eE+-]*)/gs,
  // At most 15 backslashes (JSON nested four times): with more, each match would scan the rest of the text.
  /(\\{1,15}"([\w .-]{1,64})\\{1,15}"\s{0,9}:\s{0,9}\\{1,15}")((?:(?!\\{1,15}").)+)/gs,
  /(\b([A-Za-z][\w.-]{0,63})\s?=\s?["']?)([^\s&"'\\,;]+)/g,
  /((?<=^|\s)--([A-Za-z][\w-]{0,63}) ["']?)([^\s"'-][^\s"']*)/g,
  /(\b(passwords?|passwd|passphrase)\s?: ["']?)([^\s"',;]+)/gi,
];

/** Replaces values that are secret because of the name next to them, or their position in a URL. */
function cleanNamed(text: string): string {
  let cleaned = text.includes('://') ? text.replace(PASSWORD_OF_URL, `$1${REDACTED}`) : text;
  if (!/[:=]|--/.test(cleaned)) return cleaned;
  for (const pattern of NAMED_VALUES) {
    cleaned = cleaned.replace(pattern, (all, before: string, name: string, value: string) =>
      isSecretKey(name) && value !== REDACTED ? `${before}${REDACTED}` : all,
    );
  }
  return cleaned;
}

/** Creates a redactor for known secrets; the caller excludes those that are too short to search for. */
export function createSecretText(secrets: readonly string[]): SecretText {
  const spellings = new Set<string>();
  let known: { readonly any: RegExp; readonly every: RegExp } | undefined;
  const learn = (secret: string): void => {
    // A lone surrogate has no URL encoding.
    spellings.add(secret).add(encodeURIComponent(Buffer.from(secret).toString()));
    known = undefined;
  };
  const patterns = () => {
    if (known === undefined && spellings.size > 0) {
      const pattern = patternOf(spellings);
      known = { any: new RegExp(pattern), every: new RegExp(pattern, 'g') };
    }
    return known;
  };
  const cleanName = (text: string): string => {
    const every = patterns()?.every;
    return every === undefined ? text : text.replace(every, REDACTED);
  };
  for (const secret of secrets) learn(secret);
  return {
    add: (secret) => {
      if (!spellings.has(secret)) learn(secret);
    },
    isIn: (text) =>
      patterns()?.any.test(text) === true ||
      (text.length >= SHORTEST_KEY && ANY_KEY.test(text)) ||
      cleanNamed(text) !== text,
    clean: (text) => cleanNamed(cleanName(text).replace(EVERY_KEY, REDACTED)),
    cleanName,
  };
}

/** A pattern that matches any of the texts, the longest first. */
function patternOf(texts: ReadonlySet<string>): string {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return longestFirst.map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')).join('|');
}

/** Names of environment variables whose values are secret. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|TOKEN|SECRET|(?:ACCESS|PRIVATE|SECRET)_KEY)$|(?:PASSWORD|PASSWD|PASSPHRASE|_PWD)$/i;

/** Shorter values are placeholders for servers that accept any key; as words they occur everywhere. */
const SHORTEST = 8;

/** The values of environment variables with secret names, if they have 8 characters or more. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const secret = value?.trim() ?? '';
    return SECRET_NAME.test(name) && secret.length >= SHORTEST ? [secret] : [];
  });
}

/**
 * Creates a function that replaces secrets in texts.
 *
 * @param secrets secrets; those with less than 8 characters are ignored
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  return createSecretText(secrets.filter(({ length }) => length >= SHORTEST)).clean;
}
