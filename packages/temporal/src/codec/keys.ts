import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { AlasError, InputError } from 'alas-jssp';

/** The variable of the environment that names the keys of payloads. */
export const KEYS_VARIABLE = 'ALAS_JSSP_TEMPORAL_KEYS';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Keys of AES-256 by their ids; the first encrypts, all of them decrypt. */
export class Keyring {
  /** Id of the encrypting key. */
  readonly current: string;
  readonly #keys: ReadonlyMap<string, Uint8Array>;

  /** @param keys at least one, of 32 bytes each */
  constructor(keys: ReadonlyMap<string, Uint8Array>) {
    [this.current = ''] = keys.keys();
    this.#keys = keys;
  }

  /** Encrypts with the first key: 12 bytes of an initial vector, the text, 16 bytes of a tag. */
  encrypt(bytes: Uint8Array): Uint8Array {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.current), iv);
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts the result of {@link encrypt}.
   *
   * @throws AlasError `unknown_key`, `bad_payload`: it was changed, or another key of the same id wrote it
   */
  decrypt(id: string, sealed: Uint8Array): Uint8Array {
    const key = this.#key(id);
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)),
        decipher.final(),
      ]);
    } catch {
      const problem = `a payload cannot be decrypted with key '${id}': it was changed, or another key of this id wrote it`;
      throw new AlasError('bad_payload', problem, id);
    }
  }

  /** SHA-256 of bytes under the first key, in hex: a name that reveals nothing without the key. */
  nameOf(bytes: Uint8Array): string {
    return createHmac('sha256', this.#key(this.current)).update(bytes).digest('hex');
  }

  #key(id: string): Uint8Array {
    const key = this.#keys.get(id);
    if (key === undefined) {
      const known = `keys there: ${[...this.#keys.keys()].join(', ')}`;
      throw new AlasError('unknown_key', unknownKey(id, known), id);
    }
    return key;
  }
}

/** The message for a payload whose key is missing. */
export function unknownKey(id: string, known: string): string {
  return `a payload is encrypted with key '${id}', which is not in ${KEYS_VARIABLE} (${known})`;
}

/**
 * Reads keys such as `2026-11:BASE64,2026-05:BASE64`, each of 32 bytes; undefined without keys.
 *
 * @throws InputError `bad_keys`; it never shows a key
 */
export function readKeys(text: string | undefined): Keyring | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const keys = new Map<string, Uint8Array>();
  for (const [index, part] of text.split(',').entries()) {
    const [, id, base64] = /^\s*([\w.-]+):([A-Za-z0-9+/_-]+=*)\s*$/.exec(part) ?? [];
    const refuse = (problem: string): never => {
      const where = `${KEYS_VARIABLE}: key ${index + 1}`;
      const hint = 'write ID:BASE64 of 32 bytes, several with commas between them';
      throw new InputError('bad_keys', `${where} ${problem}`, hint);
    };
    if (id === undefined || base64 === undefined) return refuse('is not of the form ID:BASE64');
    const key = Buffer.from(base64, 'base64');
    if (key.length !== KEY_BYTES) refuse(`('${id}') has ${key.length} bytes`);
    if (keys.has(id)) refuse(`has the id of another, '${id}'`);
    keys.set(id, key);
  }
  return new Keyring(keys);
}
