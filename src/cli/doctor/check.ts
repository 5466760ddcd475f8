import { AlasError, InputError, printableLine } from '@alas-jssp/core/errors';

/** The result of one check: `missing` is something optional that is not there, `broken` something that must work. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'missing' | 'broken';
  /** The version, the file or the measure that was found. */
  readonly found: string;
  /** How to repair or install it; null where the status is `ok`. */
  readonly hint: string | null;
}

/** A check that found what it looks for. */
export function fine(name: string, found: string): Check {
  return { name, status: 'ok', found, hint: null };
}

/** A check of something optional that is not there. */
export function missing(name: string, found: string, hint: string): Check {
  return { name, status: 'missing', found, hint };
}

/** A check of something that is needed and does not work. */
export function broken(name: string, found: string, hint: string): Check {
  return { name, status: 'broken', found: printableLine(found), hint };
}

/**
 * Runs a check; whatever it throws means that the thing is broken.
 *
 * @param hint for errors that have none of their own
 */
export async function runCheck(
  name: string,
  hint: string,
  check: () => Check | Promise<Check>,
): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof InputError) {
      const { file } = error.location;
      const place = file === undefined ? '' : `${file}: `;
      return broken(name, `${place}${error.problem}`, error.hint || hint);
    }
    const { message } = error as Error;
    return broken(name, error instanceof AlasError ? message : message.split('\n')[0], hint);
  }
}
