/** Names whose values are secret, without separators between their words. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xapikey',
  'token',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'bearertoken',
  'sessiontoken',
  'sessionid',
  'csrftoken',
  'secret',
  'clientsecret',
  'credential',
  'credentials',
  'pwd',
]);

/** Suffixes of names whose values are secret, whatever precedes them: `db_password`, `AWS_SECRET_ACCESS_KEY`. */
const SECRET_ENDS =
  /(?:passwords?|passwd|passphrase|apikey|apitoken|accesstoken|refreshtoken|authtoken|secretkey|accesskey|privatekey|signingkey|encryptionkey|clientsecret)$/;

/** Last words of multi-word names whose values are secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'secret',
  'token',
  'pwd',
  'credential',
  'credentials',
]);

/** First words of names that describe a secret, or a position in a list, but do not contain a secret. */
const HARMLESS: ReadonlySet<string> = new Set([
  'has',
  'is',
  'no',
  'needs',
  'requires',
  'with',
  'reset',
  'forgot',
  'change',
  'min',
  'max',
  'next',
  'previous',
  'page',
  'continuation',
  'sync',
  'task',
]);

/** Cached results by name: a log has few keys, and many values under each. */
const answers = new Map<string, boolean>();
const MAX_ANSWERS = 10_000;

/** Whether the values under a name are secret because of the name, in any spelling: `api_key`, `apiKey`, `API-KEY`. */
export function isSecretKey(name: string): boolean {
  let answer = answers.get(name);
  if (answer === undefined) {
    answer = hasSecretWords(name);
    if (answers.size >= MAX_ANSWERS) answers.clear();
    answers.set(name, answer);
  }
  return answer;
}

function hasSecretWords(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const joined = words.join('');
  if (SECRET_NAMES.has(joined)) return true;
  if (words.length > 1 && HARMLESS.has(words[0])) return false;
  if (/_PASS$/.test(name)) return true;
  return SECRET_ENDS.test(joined) || SECRET_WORDS.has(words.at(-1) ?? '');
}
