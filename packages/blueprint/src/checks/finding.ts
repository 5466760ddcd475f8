import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import type { DraftFinding, PartName } from '../drafting/part.js';

/** An error of a draft: the part must change. */
export function draftError(
  code: string,
  part: PartName,
  path: JsonPath,
  message: string,
  hint: string,
): DraftFinding {
  return { code, severity: 'error', part, path: formatPath(path), message, hint };
}

/** A warning about a draft: people should know it. */
export function draftWarning(
  code: string,
  part: PartName,
  path: JsonPath,
  message: string,
  hint: string,
): DraftFinding {
  return { code, severity: 'warning', part, path: formatPath(path), message, hint };
}

/** Names for a hint, at most twelve. */
export function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, 12).join(', ');
  return names.length > 12 ? `${shown}, …` : shown;
}
