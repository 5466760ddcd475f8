import { gunzipSync, gzipSync } from 'node:zlib';
import { Client, type ClientOptions } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { AlasError } from 'alas-jssp';
import { type BlobRef, getBlob, putBlob } from '../blobs/blob.js';
import { patiently } from '../patience.js';
import { Encryption } from './encryption.js';
import type { Keyring } from './keys.js';
import { dataOf, encodingOf, toBytes, unwrap, wrap } from './payload.js';

/** Minimum bytes of a compressed payload; smaller ones stay readable on the server's page. */
const COMPRESSED_FROM = 4096;

/** Maximum bytes of all payloads of one command. */
const PAYLOADS = 1_000_000;

const GZIP = 'binary/gzip';
const BLOB = 'json/alas-blob';

/** Compresses payloads of some size, if that makes them smaller. */
export class Compression implements PayloadCodec {
  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      if ((payload.data?.length ?? 0) < COMPRESSED_FROM) return payload;
      const data = gzipSync(toBytes(payload));
      return data.length < (payload.data?.length ?? 0) ? wrap(GZIP, data) : payload;
    });
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) =>
      encodingOf(payload) === GZIP ? unwrap(gunzipSync(dataOf(payload))) : payload,
    );
  }
}

/** Stores the largest of payloads that exceed 1 MB together on the server as blobs. */
export class LargePayloads implements PayloadCodec {
  /**
   * @param client connection and namespace of the payloads, with the same encryption; undefined for
   *   files without a server
   * @param queue task queue whose workers end the pieces
   */
  constructor(
    private readonly client: Client | undefined,
    private readonly queue: string,
  ) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const { client } = this;
    if (client === undefined) return payloads;
    const encoded = [...payloads];
    let total = payloads.reduce((sum, payload) => sum + dataOf(payload).length, 0);
    const bySize = [...payloads.keys()].sort(
      (a, b) => dataOf(payloads[b]).length - dataOf(payloads[a]).length,
    );
    for (const index of bySize) {
      if (total <= PAYLOADS) break;
      const bytes = toBytes(payloads[index]);
      // An error here fails the step; if the server is unavailable, the codec waits for it.
      const ref = await patiently(() => putBlob(client, this.queue, bytes));
      encoded[index] = wrap(BLOB, Buffer.from(JSON.stringify(ref)));
      total += dataOf(encoded[index]).length - dataOf(payloads[index]).length;
    }
    return encoded;
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    const { client } = this;
    return Promise.all(
      payloads.map(async (payload) => {
        if (encodingOf(payload) !== BLOB) return payload;
        if (client === undefined)
          throw new AlasError('no_server', 'a value is on the server only: name its address');
        const ref = JSON.parse(Buffer.from(dataOf(payload)).toString()) as BlobRef;
        return unwrap(await patiently(() => getBlob(client, ref)));
      }),
    );
  }
}

/**
 * The codecs of all payloads, for clients and workers alike: compress, store large ones elsewhere,
 * encrypt.
 */
export function createCodecs(
  on: Pick<ClientOptions, 'connection' | 'namespace'>,
  queue: string,
  keys: Keyring | undefined,
): PayloadCodec[] {
  const encryption = new Encryption(keys);
  const client = new Client({ ...on, dataConverter: { payloadCodecs: [encryption] } });
  return [new Compression(), new LargePayloads(client, queue), encryption];
}

/**
 * The codecs of payloads in a file, as {@link createCodecs} made them, without a server for the
 * large ones.
 */
export function createFileCodecs(keys: Keyring | undefined): PayloadCodec[] {
  return [new Compression(), new LargePayloads(undefined, ''), new Encryption(keys)];
}
