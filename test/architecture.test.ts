import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { once } from '../packages/core/src/once.js';
import { temporaryDirectory } from './temporary-directory.js';

const page = readFileSync('docs/design/architecture.md', 'utf8');

/** Every folder below one, as a path with a slash at its end. */
function foldersIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${join(entry.parentPath, entry.name).slice(root.length + 1)}/`)
    .sort();
}

/** The folders on the right of each arrow of the picture. */
function arrows(): Record<string, string[]> {
  const picture = /```arrows\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  return Object.fromEntries(
    picture
      .trim()
      .split('\n')
      .map((line) => line.split('→').map((part) => part.trim()))
      .map(([from, to]) => [from, to.split(/[\s,]+/).filter((name) => name !== '')]),
  );
}

/** Packages whose sources the root imports. */
const PACKAGES = ['core', 'workflow', 'living-plan'];
/** Other packages whose folders the page lists. */
const USERS = ['convert', 'changeset', 'service', 'agents', 'blueprint', 'coordination'];

const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: { name: string; from: { path?: string }; to: { pathNot?: string } }[];
};

/** The folders that the import rules let each folder import. */
function allowed(): Record<string, string[]> {
  const rules = forbidden.filter(({ name }) => name.endsWith('-imports'));
  return Object.fromEntries(
    rules.map(({ name, to }) => {
      const folder = name.slice(0, -'-imports'.length);
      const paths = /\((.*)\)/.exec(to.pathNot ?? '')?.[1].split('|') ?? [];
      const names = paths.map((path) => /^(?:src|packages)\/([\w-]+)/.exec(path)?.[1] ?? path);
      return [folder, names.filter((other) => other !== folder)];
    }),
  );
}

const sorted = (lists: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.toSorted()]));

describe('docs/design/architecture.md', () => {
  it('draws the arrows that the import rules allow, and no others', () => {
    const { cli, ...others } = arrows();
    expect(sorted(others)).toEqual(sorted(allowed()));
    const { browser, playground, ...inNode } = others;
    expect([browser, playground]).not.toContainEqual([]);
    expect(cli.toSorted()).toEqual(Object.keys(inNode).sort());
  });

  it('has the folders of src in picture and table', () => {
    const folders = foldersIn('src');
    const inPackages = [...PACKAGES, ...USERS].flatMap((name) => {
      const home = `packages/${name}/src`;
      return [`${home}/`, ...foldersIn(home).map((folder) => `${home}/${folder}`)];
    });
    const table = Array.from(page.matchAll(/^\| `([a-z/-]+\/)` \|/gm), ([, folder]) => folder);
    expect(table.toSorted()).toEqual([...folders, ...inPackages].sort());
    const tops = folders.filter((folder) => folder.indexOf('/') === folder.length - 1);
    const names = tops.map((folder) => folder.slice(0, -1));
    expect(Object.keys(arrows()).sort()).toEqual([...names, ...PACKAGES].sort());
  });

  it('names files that exist', () => {
    const rows = page.matchAll(/^\| `([a-z/-]+\/)` \|(.*)$/gm);
    for (const [, folder, text] of rows) {
      for (const [, file] of text.matchAll(/`([\w-]+\.ts)`/g)) {
        const home = folder.startsWith('packages/') ? folder : join('src', folder);
        expect(existsSync(join(home, file)), folder + file).toBe(true);
      }
    }
    const paths = Array.from(
      page.matchAll(/`((?:src|test|packages)\/[\w/.-]+\.ts)`/g),
      ([, path]) => path,
    );
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

/** The files of which a real run of each walk called a function, as V8 saw it. */
function callsOfWalks(): Record<string, ReadonlySet<string>> {
  const file = join(temporaryDirectory(), 'walks.json');
  execFileSync('node', ['packages/lab/dist/walks.js', '--json', file], { stdio: 'pipe' });
  const { rows } = JSON.parse(readFileSync(file, 'utf8')) as {
    rows: { name: string; files: string[] }[];
  };
  return Object.fromEntries(rows.map(({ name, files }) => [name, new Set(files)]));
}

describe('a walk of docs/design/architecture.md', () => {
  const walks = page.split(/^\*\*(.*?)\*\*/m).slice(1);
  const named = walks.flatMap((text, i) => (i % 2 === 0 ? [[text, walks[i + 1]] as const] : []));

  /** The runs of `npm run bench -- walks` by the walks. A setting goes with an answer. */
  const runs = ['validate', 'answer', 'answer', 'step', 'execute', 'service'];
  const called = once(callsOfWalks);

  it.each(named.map(([name, text], i) => [name, text, runs[i]]))(
    'lists files that run: %s',
    (_, text, run) => {
      const files = Array.from(text.matchAll(/^\d+\. `([^`]+)`/gm), ([, file]) => file);
      expect(files.length).toBeGreaterThan(5);
      expect(files.filter((file) => !called()[run].has(file))).toEqual([]);
    },
  );

  it('is one of six', () => {
    expect(named).toHaveLength(6);
  });
});

describe('test', () => {
  /** Folders of what tests use, and of what they hold together. */
  const OWN =
    /^(conformance|examples|harness\/planners|llm\/(cassettes|servers)|oracles|workflow\/promises|\w+\/(\w+\/)?fixtures)\b/;

  it('has the folders of src', () => {
    const folders = foldersIn('test').filter((folder) => !OWN.test(folder));
    expect(folders.filter((folder) => !existsSync(join('src', folder)))).toEqual([]);
  });
});
