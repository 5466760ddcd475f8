import { stderr } from 'node:process';
import { type Client, isGrpcServiceError } from '@temporalio/client';

/** Types of search attributes, as the server numbers them. */
const [INT, DOUBLE] = [3, 4];

/** The search attributes of shops and their types. */
const ATTRIBUTES: Readonly<Record<string, number>> = {
  AlasMakespan: INT,
  AlasLateness: DOUBLE,
  AlasOpenProposals: INT,
};

/**
 * Ensures that the server knows the search attributes of shops. If this process may not register
 * them and they are missing, one line reports it, and shops do without.
 *
 * @returns whether the server knows them
 */
export async function registerAttributes(client: Client): Promise<boolean> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(ATTRIBUTES).filter(([name]) => !(name in customAttributes));
    if (missing.length === 0) return true;
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    });
    return true;
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    if (error.code === ALREADY_EXISTS) return true;
    const names = Object.keys(ATTRIBUTES).join(', ');
    stderr.write(
      `shops do without ${names}, which this worker cannot register: ${error.details}\n`,
    );
    return false;
  }
}

const ALREADY_EXISTS = 6;
