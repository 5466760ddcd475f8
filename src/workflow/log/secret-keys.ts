/** Keys whose values are secret, however they are spelled: `api_key`, `apiKey` and `API-KEY`. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie'],
  ...['apikey', 'xapikey', 'apitoken', 'token', 'accesstoken', 'refreshtoken', 'idtoken'],
  ...['authtoken', 'bearertoken', 'sessiontoken', 'sessionid', 'csrftoken'],
  ...['secret', 'clientsecret', 'secretkey', 'secretaccesskey', 'privatekey', 'signingkey'],
  ...['password', 'passwd', 'pwd', 'passphrase', 'credential', 'credentials'],
]);

/** Whether the values under a key are secret by its name alone. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEYS.has(key.replaceAll(/[-_. ]/g, '').toLowerCase());
}
