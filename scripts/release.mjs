// The steps of .github/workflows/release.yml that need more than a line.
// Usage: node scripts/release.mjs check TAG        whether the versions agree with a tag, and the changelog has them
//        node scripts/release.mjs notes TAG        the section of the changelog
//        node scripts/release.mjs wheel TAG FOLDER whether a folder has the Python package of a tag, and nothing else
//        node scripts/release.mjs publish FOLDER   publishes tarballs, each after those that it depends on
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm } from './npm.mjs';
import { publishedPackages, root } from './packages.mjs';
import { findReleaseProblems, findWheelProblems, releaseNotes } from './release-checks.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Files besides the manifests that state the version, such as the Python package. */
function otherVersions() {
  const locks = ['package-lock.json', 'packages/temporal/package-lock.json'].map((file) => ({
    file,
    version: readJson(join(root, file)).version,
  }));
  const texts = Object.entries({
    'clients/python/alas_jssp/__init__.py': /^__version__ = "(.+)"$/m,
    'CITATION.cff': /^version: (.+)$/m,
  }).map(([file, pattern]) => ({
    file,
    version: pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1],
  }));
  return [...locks, ...texts];
}

/** Whether the registry has a version: a workflow that is run again continues where it failed. */
function isPublished(name, version) {
  try {
    return npm(['view', `${name}@${version}`, 'version']).trim() === version;
  } catch (error) {
    if (/E404/.test(error.message)) return false;
    throw error;
  }
}

function publish(folder) {
  for (const { name, version, file } of readJson(join(folder, 'index.json'))) {
    if (isPublished(name, version)) {
      process.stdout.write(`${name} ${version} is there\n`);
      continue;
    }
    npm(['publish', join(folder, file), '--provenance', '--access', 'public']);
    process.stdout.write(`${name} ${version} is published\n`);
  }
}

function refuse(problems) {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

const [command, argument, folder] = process.argv.slice(2);
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
if (command === 'check') {
  refuse(findReleaseProblems(argument, publishedPackages(), otherVersions(), changelog));
} else if (command === 'notes') {
  process.stdout.write(`${releaseNotes(changelog, argument.replace(/^v/, ''))}\n`);
} else if (command === 'wheel' && folder !== undefined) {
  refuse(findWheelProblems(argument, readdirSync(folder)));
} else if (command === 'publish') {
  publish(resolve(argument));
} else {
  process.stderr.write(
    'usage: release.mjs check TAG | notes TAG | wheel TAG FOLDER | publish FOLDER\n',
  );
  process.exitCode = 2;
}
