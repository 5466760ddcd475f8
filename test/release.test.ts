import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { findForeignContents } from '../release/contents.mjs';
import { manifestForRegistry, publishedPackages, readmeForRegistry } from '../scripts/packages.mjs';
import {
  findReleaseProblems,
  findWheelProblems,
  releaseNotes,
} from '../scripts/release-checks.mjs';
import { temporaryDirectory } from './temporary-directory.js';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n- new\n\n## 1.2.0\n\n- one\n- two\n\n## 1.1.0\n';
const LOCKS = [{ file: 'package-lock.json', version: '1.2.0' }];
const packageOf = (more: object) => ({
  folder: 'packages/a',
  manifest: { name: '@alas-jssp/a', version: '1.2.0', ...more },
});

describe('a release', () => {
  it('has the notes of its section of the changelog', () => {
    expect(releaseNotes(CHANGELOG, '1.2.0')).toBe('- one\n- two');
    expect(releaseNotes(CHANGELOG, '1.2')).toBe('');
  });

  it('is refused if a version disagrees with the tag, or the changelog has no text', () => {
    const problems = (tag: string, one = packageOf({}), locks = LOCKS) =>
      findReleaseProblems(tag, [one], locks, CHANGELOG);
    expect(problems('v1.2.0')).toEqual([]);
    expect(problems('1.2.0')).toEqual([expect.stringContaining('is not v and a version')]);
    expect(problems('v1.1.0')).toHaveLength(3);
    const other = packageOf({ dependencies: { '@alas-jssp/core': '^1.1.0', zod: '^4.0.0' } });
    expect(problems('v1.2.0', other)).toEqual([
      expect.stringContaining('@alas-jssp/core at ^1.1.0'),
    ]);
    const stale = [{ file: 'package-lock.json', version: '1.1.0' }];
    expect(problems('v1.2.0', packageOf({}), stale)).toHaveLength(1);
  });

  it('has the Python package of its tag, and nothing beside it', () => {
    const files = ['alas_jssp-1.2.0-py3-none-any.whl', 'alas_jssp-1.2.0.tar.gz'];
    expect(findWheelProblems('v1.2.0', files)).toEqual([]);
    expect(findWheelProblems('v1.2.0', files.slice(0, 1))).toEqual([
      'alas_jssp-1.2.0.tar.gz is missing',
    ]);
    expect(findWheelProblems('v1.2.0', [...files, 'alas_jssp-1.1.0.tar.gz'])).toEqual([
      'alas_jssp-1.1.0.tar.gz is not of v1.2.0',
    ]);
    expect(findWheelProblems('v1.3.0', files)).toHaveLength(4);
    expect(findWheelProblems('1.2.0', files)).toHaveLength(1);
    const candidate = ['alas_jssp-1.2.0rc1-py3-none-any.whl', 'alas_jssp-1.2.0rc1.tar.gz'];
    expect(findWheelProblems('v1.2.0-rc.1', candidate)).toEqual([]);
  });

  it('has the same version in all packages, each after those it depends on', () => {
    const packages = publishedPackages();
    const names = packages.map(({ manifest }) => manifest.name);
    expect(names).not.toContain('@alas-jssp/lab');
    expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1);
    for (const [at, { manifest }] of packages.entries())
      for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
        if (names.includes(name)) expect(names.indexOf(name), `${name} first`).toBeLessThan(at);
  });
});

describe('a packed package', () => {
  it('has no conditions and entries that lead to sources, and nothing for its developers', () => {
    const target = { 'alas-source': './src/a.ts', types: './dist/a.d.ts', default: './dist/a.js' };
    const exports = {
      '.': target,
      './internal/lab': target,
      './parts': { 'alas-source': './a.css' },
    };
    expect(manifestForRegistry({ name: 'a', scripts: {}, devDependencies: {}, exports })).toEqual({
      name: 'a',
      exports: { '.': { types: './dist/a.d.ts', default: './dist/a.js' } },
    });
  });

  it('has a README whose links lead into the tarball or to the tag of the repository', () => {
    const repository = { url: 'git+https://example.org/a.git' };
    const one = packageOf({ repository });
    const text = '[a](../../docs/b.md#c) [d](dist/e.js) [f](https://g.org) [h](#i)';
    expect(readmeForRegistry(text, one, (path: string) => path === 'dist/e.js')).toBe(
      '[a](https://example.org/a/blob/v1.2.0/docs/b.md#c) [d](dist/e.js) [f](https://g.org) [h](#i)',
    );
  });

  it('is refused with tests, sources, dangling maps or paths of the machine that built it', () => {
    const folder = temporaryDirectory();
    const files = {
      'dist/a.js': 'export {};\n',
      'dist/a.d.ts': 'export {};\n',
      'dist/mapped.js': '//# sourceMappingURL=mapped.js.map\n',
      'dist/built.js': "const here = '/home/builder/project/src';\n",
      'dist/own.js': `const root = '${folder}';\n`,
      'test/a.test.js': '',
      'src/a.ts': '',
      '.env': '',
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const problems = findForeignContents(folder, [folder]).sort();
    expect(problems.map((one) => one.split(' ')[0])).toEqual([
      '.env',
      'dist/built.js',
      'dist/mapped.js',
      'dist/own.js',
      'src/a.ts',
      'test/a.test.js',
    ]);
  });
});

describe.each(globSync('.github/workflows/*.yml', { dot: true }))('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  it('uses actions at commits that cannot change, and says which versions they are', () => {
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const one of uses) expect(one).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('grants no more than it needs', () => {
    expect(text).toMatch(/^permissions: \{\}$|^permissions:\n {2}contents: read$/m);
    expect(text).not.toMatch(/write-all|pull_request_target|secrets\./);
    // A name that others chose never becomes a part of a command.
    expect(text.match(/run: .*\$\{\{/g)).toBeNull();
  });
});
