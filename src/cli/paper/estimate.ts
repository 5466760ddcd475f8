import type { Session } from '../common/session.js';
import type { PaperCommandOptions } from './paper-options.js';

export async function estimateItems(
  _session: Session,
  _names: readonly string[],
  _options: PaperCommandOptions,
): Promise<void> {}
