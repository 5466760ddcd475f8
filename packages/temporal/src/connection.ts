import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, Connection, type DataConverter } from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import { AlasError, InputError } from 'alas-jssp';
import type { Address } from './address.js';
import { createCodecs, createFileCodecs } from './codec/codecs.js';
import { KEYS_VARIABLE, readKeys } from './codec/keys.js';
import { isNotFound, isStarting } from './patience.js';
import { readProfile } from './profile.js';
import { installRuntime } from './telemetry/runtime.js';
import { tracingPlugin } from './telemetry/tracing.js';

/** Converter of failures that leaves no readable text in them. */
const ENCRYPTED_FAILURES = fileURLToPath(new URL('../dist/codec/failures.js', import.meta.url));

/**
 * Opens a connection for clients. TLS, access keys and metadata come from the environment or a
 * profile, and so do the keys of payloads.
 *
 * @throws AlasError `no_server`; InputError `no_namespace`, `bad_profile`, `bad_keys`, `bad_metrics`
 */
export async function connect(address: Address): Promise<Client> {
  const connection = await opened(address, (options) => Connection.connect(options));
  const on = { connection, namespace: address.namespace };
  return createClient(on, dataConverterOf(on, address.queue));
}

/** A connection for workers, with the codecs of its payloads. */
export interface WorkerConnection {
  readonly connection: NativeConnection;
  readonly dataConverter: DataConverter;
  /** For the activities of the worker: blobs, ledgers, claims. */
  readonly client: Client;
}

/** Opens a connection for a worker, as {@link connect} does for clients. */
export async function connectWorker(address: Address): Promise<WorkerConnection> {
  installRuntime();
  const connection = await opened(address, (options) => NativeConnection.connect(options));
  const on = { connection, namespace: address.namespace };
  const dataConverter = dataConverterOf(on, address.queue);
  return { connection, dataConverter, client: await createClient(on, dataConverter) };
}

/** Codecs for payloads in a file: with the keys of the environment, and without a server. */
export function fileConverter(): DataConverter {
  const keys = readKeys(process.env[KEYS_VARIABLE]);
  const payloadCodecs = createFileCodecs(keys);
  return keys === undefined
    ? { payloadCodecs }
    : { payloadCodecs, failureConverterPath: ENCRYPTED_FAILURES };
}

/** Whether payloads are encrypted: there are keys in the environment. */
export function isEncrypting(): boolean {
  return readKeys(process.env[KEYS_VARIABLE]) !== undefined;
}

async function createClient(on: ClientOptions, dataConverter: DataConverter): Promise<Client> {
  const plugin = await tracingPlugin();
  return new Client({ ...on, dataConverter, plugins: plugin === undefined ? [] : [plugin] });
}

function dataConverterOf(
  on: Pick<ClientOptions, 'connection' | 'namespace'>,
  queue: string,
): DataConverter {
  const keys = readKeys(process.env[KEYS_VARIABLE]);
  const payloadCodecs = createCodecs(on, queue, keys);
  return keys === undefined
    ? { payloadCodecs }
    : { payloadCodecs, failureConverterPath: ENCRYPTED_FAILURES };
}

async function opened<T extends Connection | NativeConnection>(
  { server, namespace }: Address,
  open: (options: NativeConnectionOptions) => Promise<T>,
): Promise<T> {
  const { connectionOptions } = readProfile();
  let connection: T;
  try {
    connection = await openWhenHealthy(() => open({ ...connectionOptions, address: server }));
  } catch (error) {
    const tls = connectionOptions.tls ? 'with TLS' : 'without TLS';
    const reason = error instanceof Error ? error.message : String(error);
    throw new AlasError('no_server', `no Temporal server answers at ${server} (${tls}): ${reason}`);
  }
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    // A client that may not describe a namespace may still use it.
    if (!isNotFound(error)) return connection;
    await connection.close();
    throw new InputError(
      'no_namespace',
      `the server at ${server} has no namespace '${namespace}'`,
      'name another, or create it: temporal operator namespace create',
      {},
      namespace,
    );
  }
  return connection;
}

/** Limit of the wait for a healthy server, and the pause between attempts, in milliseconds. */
const STARTING = { limit: 10_000, pause: 200 };

/** Opens a connection, and retries while the server reports that it is not healthy yet. */
async function openWhenHealthy<T>(open: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += STARTING.pause) {
    try {
      return await open();
    } catch (error) {
      if (waited >= STARTING.limit || !isStarting(error)) throw error;
    }
    await sleep(STARTING.pause);
  }
}
