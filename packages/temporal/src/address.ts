import { InputError } from 'alas-jssp';
import { readProfile } from './profile.js';

/** A place on a Temporal server: its address, the namespace, and the queue of the workers. */
export interface Address {
  /** Host and port of the server. */
  readonly server: string;
  readonly namespace: string;
  /** Task queue from which workers take runs, tasks and shops. */
  readonly queue: string;
}

/** The default queue. */
export const DEFAULT_QUEUE = 'alas-jssp';

const FORM = 'temporal://HOST:PORT/NAMESPACE?queue=NAME';

/**
 * Reads an address such as `temporal://127.0.0.1:7233/default?queue=shop`. Missing parts come from
 * Temporal's own settings (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, a profile), so that
 * `temporal:` may be enough; otherwise the port is 7233, the namespace `default`, and the queue
 * `alas-jssp`.
 *
 * @throws InputError `bad_address`, `bad_profile`
 */
export function parseAddress(text: string): Address {
  const refuse = (problem: string): never => {
    throw new InputError('bad_address', problem, `write ${FORM}`, {}, text);
  };
  const url = URL.canParse(text) ? new URL(text) : refuse(`'${text}' is no address`);
  if (url.protocol !== 'temporal:') refuse(`'${text}' is no address of a Temporal server`);
  const { connectionOptions, namespace: ours } = readProfile();
  const server =
    url.hostname === ''
      ? (connectionOptions.address ??
        refuse(`'${text}' names no host, and TEMPORAL_ADDRESS neither`))
      : `${url.hostname}:${url.port === '' ? 7233 : url.port}`;
  const unknown = [...url.searchParams.keys()].find((key) => key !== 'queue');
  if (unknown !== undefined) refuse(`'${text}' has an unknown part '${unknown}'`);
  const [namespace, ...more] = url.pathname.split('/').filter((part) => part !== '');
  if (more.length > 0) refuse(`'${text}' has more than a namespace after the port`);
  return {
    server,
    namespace: namespace === undefined ? (ours ?? 'default') : decoded(namespace, refuse),
    queue: url.searchParams.get('queue') || DEFAULT_QUEUE,
  };
}

function decoded(part: string, refuse: (problem: string) => never): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse(`'${part}' is no name: after % come two digits of a byte`);
  }
}

/** The text of an address, as {@link parseAddress} reads it. */
export function formatAddress({ server, namespace, queue }: Address): string {
  return `temporal://${server}/${encodeURIComponent(namespace)}?queue=${encodeURIComponent(queue)}`;
}
