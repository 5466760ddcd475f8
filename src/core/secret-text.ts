import { isSecretKey } from './secret-names.js';

/** The text that replaces a secret inside of another text. */
export const REDACTED = '[redacted]';

/** Replaces secrets in texts: those that are known, also as they stand in URLs, and what looks like a key. */
export interface SecretText {
  /** Makes one more text a secret. */
  add(secret: string): void;
  /** Whether there is a secret in a text. */
  isIn(text: string): boolean;
  /** The text with `[redacted]` in the place of every secret. */
  clean(text: string): string;
  /** The same of an identifier, in which only those secrets are looked for that are known. */
  cleanName(text: string): string;
}

/** Keys as their issuers spell them, so that nobody has to say which they are. */
const KEYS = [
  // OpenAI, Anthropic and who took after them: with a digit, or long; else it may be a word.
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

/** Names and their values in texts: of JSON, of JSON in JSON, of settings such as `DB_PASSWORD=…`, of options and of prose. */
const NAMED_VALUES = [
  /("([\w .-]{1,64})"\s{0,9}:\s{0,9}"?)((?<=")(?:[^"\\]|\\.)+|(?<!")-?\d[\d.eE+-]*)/gs,
  // At most 15 backslashes (JSON four times in JSON): of more, each would look through all after it.
  /(\\{1,15}"([\w .-]{1,64})\\{1,15}"\s{0,9}:\s{0,9}\\{1,15}")((?:(?!\\{1,15}").)+)/gs,
  /(\b([A-Za-z][\w.-]{0,63})\s?=\s?["']?)([^\s&"'\\,;]+)/g,
  /((?<=^|\s)--([A-Za-z][\w-]{0,63}) ["']?)([^\s"'-][^\s"']*)/g,
  /(\b(passwords?|passwd|passphrase)\s?: ["']?)([^\s"',;]+)/gi,
];

/** The text without what is secret by the name that is beside it, or by its place in a URL. */
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

/** The secrets of texts: which are too short to be looked for, the caller decides. */
export function createSecretText(secrets: readonly string[]): SecretText {
  const spellings = new Set<string>();
  let known: { readonly any: RegExp; readonly every: RegExp } | undefined;
  const learn = (secret: string): void => {
    // Half a surrogate pair has no spelling in a URL.
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

/** Matches any of the texts, the longest first. */
function patternOf(texts: ReadonlySet<string>): string {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return longestFirst.map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')).join('|');
}

/** Names of environment variables whose values are secret. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|TOKEN|SECRET|(?:ACCESS|PRIVATE|SECRET)_KEY)$|(?:PASSWORD|PASSWD|PASSPHRASE|_PWD)$/i;

/** Shorter values are placeholders for servers that want any key; as words they stand everywhere. */
const SHORTEST = 8;

/** The values of environment variables whose names say that they are secret, of 8 letters or more. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const secret = value?.trim() ?? '';
    return SECRET_NAME.test(name) && secret.length >= SHORTEST ? [secret] : [];
  });
}

/**
 * Makes a function that replaces secrets in texts.
 *
 * @param secrets what is shorter than 8 letters is passed over
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  return createSecretText(secrets.filter(({ length }) => length >= SHORTEST)).clean;
}
