import { Client, Connection } from '@temporalio/client';
import type { Address } from './address.js';

/** Opens a connection for those who start runs and ask for them. */
export async function connect({ server, namespace }: Address): Promise<Client> {
  const connection = await Connection.connect({ address: server });
  return new Client({ connection, namespace });
}
