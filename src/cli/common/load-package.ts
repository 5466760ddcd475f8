import { InputError } from '@alas-jssp/core/errors';

/**
 * Loads a package of this project that `alas-jssp` does not depend on.
 *
 * @param name such as `@alas-jssp/convert`
 * @param load imports it: `() => import('@alas-jssp/convert')`
 * @throws InputError `missing_package` if it is not installed, with the command that installs it
 */
export async function loadPackage<Package>(
  name: string,
  load: () => Promise<Package>,
): Promise<Package> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw new InputError(
      'missing_package',
      `this command needs ${name}, which is not installed`,
      `npm install ${name}`,
    );
  }
}
