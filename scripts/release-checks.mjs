/** The section of a version in a changelog, without its heading; empty if there is none. */
export function releaseNotes(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((one) => /^\[?v?([\w.-]+)/.exec(one)?.[1] === version) ?? '';
  return section.replace(/^.*\n?/, '').trim();
}

const TAG = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/;
const SIBLING = /^(@alas-jssp\/|alas-jssp$)/;

/**
 * Why a tag must not be released: packages or other files with another version, dependencies on siblings at another
 * version, no section in the changelog.
 */
export function findReleaseProblems(tag, packages, others, changelog) {
  const version = TAG.exec(tag ?? '')?.[1];
  if (version === undefined) return [`the tag '${tag}' is not v and a version, such as v1.0.0`];
  const problems = [];
  for (const { manifest } of packages) {
    const { name, dependencies, devDependencies, peerDependencies } = manifest;
    if (manifest.version !== version)
      problems.push(`${name} has version ${manifest.version}, the tag is ${tag}`);
    const all = { ...devDependencies, ...dependencies, ...peerDependencies };
    for (const [sibling, range] of Object.entries(all))
      if (SIBLING.test(sibling) && !range.startsWith('file:') && range !== version)
        problems.push(`${name} depends on ${sibling} at ${range}, the tag is ${tag}`);
  }
  for (const { file, version: stated } of others)
    if (stated !== version) problems.push(`${file} has version ${stated}, the tag is ${tag}`);
  if (releaseNotes(changelog, version) === '')
    problems.push(`CHANGELOG.md has no section '## ${version}' with text`);
  return problems;
}

/** A version as Python writes it: 1.0.0-rc.1 is 1.0.0rc1 there. */
const pythonVersion = (version) =>
  version.replace(/-(a|b|rc)\w*\.?(\d+)$/, (_, phase, count) => `${phase}${count}`);

/**
 * Why a folder is not the Python package of a tag. The names of the two files have the version that was built, whatever
 * the sources say; a third file would be published with them.
 */
export function findWheelProblems(tag, files) {
  const version = TAG.exec(tag ?? '')?.[1];
  if (version === undefined) return [`the tag '${tag}' is not v and a version, such as v1.0.0`];
  const name = `alas_jssp-${pythonVersion(version)}`;
  const wanted = [`${name}-py3-none-any.whl`, `${name}.tar.gz`];
  return [
    ...wanted.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...files.filter((file) => !wanted.includes(file)).map((file) => `${file} is not of ${tag}`),
  ];
}
