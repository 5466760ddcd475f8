// Lists the licences of all packages that users install. Refuses licences that are not allowed, and install scripts that
// were not reviewed.
//   npm run licences            writes docs/reference/licences.md
//   npm run licences -- --check exits with 1 if the page is not current
import { readFileSync, writeFileSync } from 'node:fs';
import { LOCKS, productionPackages } from './production-packages.mjs';

const PAGE = 'docs/reference/licences.md';
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Unlicense',
];

/** Licences of single packages. caniuse-lite is a table of data, which the bundler of Temporal's worker reads unchanged. */
const EXCEPTIONS = { 'caniuse-lite': 'CC-BY-4.0' };

const isAllowed = (text) =>
  text
    .replace(/^\((.*)\)$/, '$1')
    .split(/ OR /)
    .some((choice) => choice.split(/ AND /).every((one) => ALLOWED.includes(one)));

const all = LOCKS.map((lock) => ({ lock, packages: productionPackages(lock) }));
const scripts = allowScripts();
const problems = all.flatMap(({ lock, packages }) =>
  packages.flatMap(({ name, version, license, hasInstallScript }) => [
    ...(isAllowed(license) || EXCEPTIONS[name] === license
      ? []
      : [`${name} ${version} (${lock}) has the licence ${license}, which is not allowed`]),
    ...(hasInstallScript && scripts[lock][name] !== false
      ? [
          `${name} ${version} (${lock}) runs a script when it is installed: list it under allowScripts`,
        ]
      : []),
  ]),
);
for (const problem of problems) console.error(problem);

const text = page();
if (process.argv.includes('--check')) {
  const isCurrent = readFileSync(PAGE, 'utf8') === text;
  if (!isCurrent) console.error(`${PAGE} is not current: npm run licences`);
  process.exitCode = isCurrent && problems.length === 0 ? 0 : 1;
} else {
  writeFileSync(PAGE, text);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** The install scripts that may run or never run, by lock file. */
function allowScripts() {
  return Object.fromEntries(
    LOCKS.map((lock) => {
      const file = lock.replace('package-lock.json', 'package.json');
      return [lock, JSON.parse(readFileSync(file, 'utf8')).allowScripts ?? {}];
    }),
  );
}

function page() {
  const tables = all.map(({ lock, packages }) => {
    const rows = packages.map(
      ({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |\n`,
    );
    return `## ${lock.replace(/\/?package-lock\.json$/, '') || 'alas-jssp and its packages'}\n
${packages.length} packages.\n
| package | version | licence |
| --- | --- | --- |
${[...new Set(rows)].join('')}`;
  });
  return `# Licences of dependencies

The packages of others that users of the published packages install, or that bundles contain, with the versions of the lock
files. \`npm run licences\` writes this page. CI checks that it is current, and that each licence is one of
${ALLOWED.join(', ')}, or an exception that
\`scripts/licences.mjs\` names. Bundles contain the texts of the licences of the packages in them.

${tables.join('\n')}`;
}
