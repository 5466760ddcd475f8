// Writes the software bill of materials of a release (CycloneDX 1.5) from a lock file: the same lock, the same bytes.
//   npm run sbom [-- --lock packages/temporal/package-lock.json] > sbom.cdx.json
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCKS, productionPackages } from './production-packages.mjs';

const { values } = parseArgs({ options: { lock: { type: 'string', default: LOCKS[0] } } });
if (!LOCKS.includes(values.lock)) {
  console.error(
    `there is no lock file ${values.lock} of a published package: use ${LOCKS.join(' or ')}`,
  );
  process.exit(2);
}
const home = dirname(values.lock);
const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const purlOf = (one) => `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;
const licenseOf = (text) =>
  /^[\w.-]+$/.test(text) ? { license: { id: text } } : { expression: text };
const component = (one) => ({
  type: 'library',
  'bom-ref': purlOf(one),
  name: one.name,
  version: one.version,
  purl: purlOf(one),
  licenses: [licenseOf(one.license)],
  ...(one.integrity === '' ? {} : { hashes: [hashOf(one.integrity)] }),
});
const components = [
  ...new Map(productionPackages(values.lock).map((one) => [purlOf(one), one])).values(),
];
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: component({ name, version, license, integrity: '' }) },
  components: components.map(component),
};
console.log(JSON.stringify(document, null, 2));

/** Subresource integrity as CycloneDX has it. */
function hashOf(integrity) {
  const [, bits, base64] = /^sha(\d+)-(.+)$/.exec(integrity);
  return { alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') };
}
