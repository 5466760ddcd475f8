import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { InputError } from 'alas-jssp';

/**
 * Reads the connection settings from Temporal's own variables (`TEMPORAL_ADDRESS`,
 * `TEMPORAL_API_KEY`, `TEMPORAL_TLS_…`) and from its file of profiles (`TEMPORAL_PROFILE`,
 * `TEMPORAL_CONFIG_FILE`).
 *
 * @throws InputError `bad_profile`
 */
export function readProfile(): ClientConnectConfig {
  try {
    return loadClientConnectConfig();
  } catch (error) {
    const problem = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new InputError(
      'bad_profile',
      `settings of the connection cannot be read: ${problem}`,
      'see the variables TEMPORAL_… and the file of profiles that they name',
    );
  }
}
