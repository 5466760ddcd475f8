import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The paths of all files below a folder, with slashes. */
export function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath ?? one.path, one.name)))
    .map((path) => path.split(sep).join('/'));
}

/** Files that only developers of a package need. */
const FOREIGN = [
  [
    /\.(test|spec|bench)\.[a-z]+$|(^|\/)(tests?|__tests__|fixtures|bench|trials)\//,
    'a test or benchmark',
  ],
  [/(?<!\.d)\.(ts|tsx|mts|cts)$/, 'a source'],
  [/\.tsbuildinfo$|(^|\/)tsconfig[^/]*\.json$|package-lock\.json$|\.map$/, 'of the build'],
  [/(^|\/)\.|\.(env|log|db|tgz)$/, 'of a machine'],
];

const TEXT = /\.(js|mjs|cjs|ts|json|md|css|html|csv|txt|svg)$/;

/** Paths of people's and build machines' folders; `/home/you` of a document is none. */
const MACHINE_PATHS =
  /(?:\/home\/(?!you|me|user|kim)\w+|\/Users\/(?!you|me|user)\w+|\/root|\/tmp\/w|\/builds)\/[\w.-]+/;

/** The files of a package that do not belong into a tarball, and what is wrong in the others. */
export function findForeignContents(folder, machinePaths) {
  const problems = [];
  for (const file of listFiles(folder)) {
    for (const [pattern, what] of FOREIGN)
      if (pattern.test(file)) problems.push(`${file} is ${what}`);
    if (!TEXT.test(file)) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const machine =
      MACHINE_PATHS.exec(text)?.[0] ?? machinePaths.find((path) => text.includes(path));
    if (machine !== undefined) problems.push(`${file} has a path of a machine: ${machine}`);
    const map = /^\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/m.exec(text)?.[1];
    if (map !== undefined && !existsSync(join(folder, dirname(file), map)))
      problems.push(`${file} names ${map}, which is not there`);
  }
  return problems;
}
