import { expect, test } from 'vitest';
import { loadPackage } from '../../../src/cli/common/load-package.js';

/** What Node throws for a package that is not there. */
const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /here/main.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

test('a missing package is named, with the command that installs it', async () => {
  const load = () => Promise.reject(missing('@alas-jssp/convert'));
  await expect(loadPackage('@alas-jssp/convert', load)).rejects.toMatchObject({
    code: 'missing_package',
    problem: 'this command needs @alas-jssp/convert, which is not installed',
    hint: 'npm install @alas-jssp/convert',
  });
});

test('other faults of a package stay what they are, such as one that it needs and lacks', async () => {
  const load = () => Promise.reject(missing('yaml'));
  await expect(loadPackage('@alas-jssp/convert', load)).rejects.toThrow("'yaml'");
});

test('a package that is there is loaded', async () => {
  expect(await loadPackage('zod', () => import('zod'))).toHaveProperty('z');
});
