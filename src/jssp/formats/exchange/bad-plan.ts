import { InputError } from '@alas-jssp/core/errors';
import { describeFound, formatPath, type JsonPath } from '@alas-jssp/core/json-path';

/**
 * The refusal of a part of a solution of another program.
 *
 * @param of the part that needs it, if that is at another place
 */
export function badPlan(
  found: unknown,
  path: JsonPath,
  hint: string,
  file: string | undefined,
  of?: JsonPath,
): InputError {
  const need = of === undefined ? '' : `, for ${formatPath(of)}`;
  const location = { file, path: formatPath(path) };
  return new InputError('bad_plan', describeFound(found) + need, hint, location, found);
}
