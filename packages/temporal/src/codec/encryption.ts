import type { Payload, PayloadCodec } from '@temporalio/common';
import { AlasError } from 'alas-jssp';
import { KEYS_VARIABLE, type Keyring, unknownKey } from './keys.js';
import { dataOf, encodingOf, toBytes, unwrap, wrap } from './payload.js';

const ENCRYPTED = 'binary/encrypted';

/**
 * Encrypts all payloads with AES-256-GCM if there are keys, in the form of Temporal's samples;
 * without keys it passes plain payloads and rejects encrypted ones.
 */
export class Encryption implements PayloadCodec {
  constructor(readonly keys: Keyring | undefined) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const { keys } = this;
    if (keys === undefined) return payloads;
    return payloads.map((payload) =>
      wrap(ENCRYPTED, keys.encrypt(toBytes(payload)), {
        'encryption-cipher': Buffer.from('AES/GCM'),
        'encryption-key-id': Buffer.from(keys.current),
      }),
    );
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      if (encodingOf(payload) !== ENCRYPTED) return payload;
      const id = Buffer.from(payload.metadata?.['encryption-key-id'] ?? []).toString();
      if (this.keys === undefined)
        throw new AlasError('unknown_key', unknownKey(id, `${KEYS_VARIABLE} is not set`), id);
      return unwrap(this.keys.decrypt(id, dataOf(payload)));
    });
  }
}
