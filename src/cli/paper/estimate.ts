import type { Session } from '../common/session.js';
import type { PaperOptions } from './paper.js';

export async function estimateItems(
  _session: Session,
  _names: readonly string[],
  _options: PaperOptions,
): Promise<void> {}
