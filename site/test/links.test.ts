import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, it, test } from 'vitest';
import { slugify } from '../.vitepress/slug.mjs';
import { leaderboardEntries, leaderboardPage } from '../scripts/leaderboard.mjs';
import { rewriteLinks } from '../scripts/links.mjs';
import { summaryOf } from '../scripts/pages.mjs';
import { REPOSITORY } from '../scripts/places.mjs';
import { BASE, checkoutPath, DIST, faultOf, isExternal, sitePages } from './site.js';

const pages = sitePages();
const byPath = new Map(pages.map((page) => [page.path, page]));

test('the site has all documents, the reference and the other parts', () => {
  const documents = globSync('docs/**/*.md').map((file) =>
    file.replace(/\.md$/, '.html').replace('README', 'index'),
  );
  const parts = [
    'index.html',
    'about.html',
    '404.html',
    'leaderboard.html',
    'CHANGELOG.html',
    'CONTRIBUTING.html',
    'api/index.html',
  ];
  expect(documents.length).toBeGreaterThan(50);
  expect([...documents, ...parts].filter((path) => !byPath.has(path))).toEqual([]);
  expect(pages.length).toBeGreaterThan(1000);
  for (const file of ['report/index.html', 'favicon.svg', 'logo.svg', 'sitemap.xml']) {
    expect(existsSync(join(DIST, file)), file).toBe(true);
  }
});

test('every link within the site leads to a page that is there, and to a place on it', () => {
  const faults = new Set<string>();
  let count = 0;
  for (const page of pages) {
    for (const link of [...page.links, ...page.loads].filter((one) => !isExternal(one))) {
      count++;
      const fault = faultOf(link, page, byPath);
      if (fault !== null) faults.add(`${page.path}: ${link}: ${fault}`);
    }
  }
  expect([...faults]).toEqual([]);
  expect(count).toBeGreaterThan(20_000);
});

test('a dead link would be found', () => {
  const [page] = pages;
  expect(faultOf('./nowhere.html', page, byPath)).toMatch(/no such page/);
  expect(faultOf(`${BASE}docs/index.html#nothing`, page, byPath)).toMatch(/no #nothing/);
  expect(faultOf('/docs/index.html', page, byPath)).toMatch(/no such page/);
});

test('every page can be reached from the first one by links', () => {
  const seen = new Set(['index.html', '404.html']);
  const queue = ['index.html'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const link of byPath.get(path)?.links ?? []) {
      const { origin, pathname } = new URL(link, `http://site${BASE}${path}`);
      if (origin !== 'http://site' || !pathname.startsWith(BASE)) continue;
      const target = decodeURIComponent(pathname.slice(BASE.length)).replace(
        /(^|\/)$/,
        '$1index.html',
      );
      if (byPath.has(target) && !seen.has(target)) queue.push(target);
      seen.add(target);
    }
  }
  expect(pages.map(({ path }) => path).filter((path) => !seen.has(path))).toEqual([]);
});

test('links to other hosts are well formed, and those to the sources lead to files that are there', () => {
  const external = new Map<string, string>();
  for (const page of pages) {
    for (const link of page.links.filter(isExternal)) external.set(link, page.path);
  }
  const faults: string[] = [];
  for (const [link, page] of external) {
    const path = checkoutPath(link, REPOSITORY);
    if (path !== null && path !== '' && !existsSync(path))
      faults.push(`${page}: ${link}: not in the checkout`);
    if (!URL.canParse(link)) faults.push(`${page}: ${link}: not an address`);
    else if (!isGoodAddress(new URL(link)))
      faults.push(`${page}: ${link}: not a public https address`);
  }
  const list = [...external.keys()]
    .filter((link) => checkoutPath(link, REPOSITORY) === null)
    .sort();
  writeFileSync('site/external-links.txt', `${list.join('\n')}\n`);
  expect(faults).toEqual([]);
  expect(list.length).toBeGreaterThan(5);
});

/** Addresses of services that a reader starts are those of the own machine. */
function isGoodAddress({ protocol, hostname }: URL): boolean {
  if (protocol === 'mailto:') return true;
  if (protocol === 'http:') return /^(?:127\.0\.0\.1|localhost|www\.w3\.org)$/.test(hostname);
  return protocol === 'https:' && hostname.includes('.');
}

test('no page loads anything from another host', () => {
  const foreign = pages.flatMap(({ path, loads }) =>
    loads.filter(isExternal).map((load) => `${path}: ${load}`),
  );
  expect(foreign.filter((line) => !line.endsWith('data:'))).toEqual([]);
  const styles = globSync('**/*.css', { cwd: DIST }).flatMap((file) => {
    const text = readFileSync(join(DIST, file), 'utf8');
    return (text.match(/(?:url\(|@import\s*)["']?(?:https?:)?\/\/[^)"']*/g) ?? []).map(
      (found) => `${file}: ${found}`,
    );
  });
  expect(styles).toEqual([]);
});

test('the sitemap lists every page once, with its whole address', () => {
  const text = readFileSync(join(DIST, 'sitemap.xml'), 'utf8');
  const urls = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url);
  expect(new Set(urls).size).toBe(urls.length);
  const paths = urls.map((url) =>
    new URL(url).pathname.slice(BASE.length).replace(/(^|\/)$/, '$1index.html'),
  );
  const missing = pages
    .map(({ path }) => path)
    .filter((path) => !paths.includes(path) && path !== '404.html');
  expect(missing).toEqual([]);
});

test('every document has a title and a description of its own for cards and searches', () => {
  const found = pages
    .filter(({ path }) => /^(?:docs|index|leaderboard)/.test(path))
    .map(({ path }) => {
      const html = readFileSync(join(DIST, path), 'utf8');
      const [, title = ''] = /<meta property="og:title" content="([^"]*)"/.exec(html) ?? [];
      const [, text = ''] = /<meta property="og:description" content="([^"]*)"/.exec(html) ?? [];
      return { path, title, text };
    });
  expect(found.filter(({ title, text }) => title.length < 5 || text.length < 20)).toEqual([]);
  expect(new Set(found.map(({ title }) => title)).size).toBe(found.length);
});

it('rewrites links but not code', () => {
  const onSite = new Set([
    'docs/a.md',
    'docs/how-to/b.md',
    'docs/README.md',
    'docs/pictures/p.png',
    'README.md',
  ]);
  const rewrite = (text: string) =>
    rewriteLinks(
      text,
      'docs/how-to/b.md',
      (path: string) => onSite.has(path),
      (path: string) => path === 'src',
    );
  expect(
    rewrite('[a](../a.md#x) ![p](../pictures/p.png) [all](../README.md) [top](../../README.md)'),
  ).toBe('[a](../a.md#x) ![p](../pictures/p.png) [all](../index.md) [top](../../about.md)');
  expect(rewrite('[s](../../src) [f](../../src/index.ts#L3) [w](https://x.org) [h](#here)')).toBe(
    `[s](${REPOSITORY}/tree/main/src) [f](${REPOSITORY}/blob/main/src/index.ts#L3) [w](https://x.org) [h](#here)`,
  );
  const code = '`[a](../x.md)`\n\n```md\n[a](../x.md)\n```\n\n    [a](../x.md)\n\n';
  expect(rewrite(code)).toBe(code);
  expect(rewrite('<img src="../pictures/p.png">')).toBe('<img src="../pictures/p.png">');
});

it('makes anchors and summaries as readers expect them', () => {
  expect(slugify('Why an operation is not as planned')).toBe('why-an-operation-is-not-as-planned');
  expect(slugify('`alas-jssp run`: what’s in `--out`?')).toBe('alas-jssp-run-whats-in---out');
  expect(summaryOf('# T\n\n![p](x.png)\n\nA `b` [c](d) *e*\nf.\n\nNext')).toBe('A b c e f.');
  expect(summaryOf('# T\n\nStatus: accepted\n\n## Context\n\nA b.')).toBe('A b.');
  expect(summaryOf(`# T\n\n${'word '.repeat(100)}`).length).toBeLessThanOrEqual(200);
});

test('entries of strangers are shown as texts, and only web addresses become links', () => {
  const [{ file, entry }] = leaderboardEntries();
  const [result] = entry.results;
  const evil = '<script>alert(1)</script>{{ constructor }}\n\n# "x"';
  const page = leaderboardPage([
    {
      file: file.replace(/[^/]*$/, 'stranger.json'),
      entry: {
        ...entry,
        planners: [evil],
        by: evil,
        links: ['javascript:alert(1)', 'https://example.org/"onclick="a'],
        command: evil,
        machine: { ...entry.machine, model: evil },
        results: [{ ...result, planner: evil, makespan: null, gap_percent: null }],
      },
    },
  ]);
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('javascript:');
  expect(page).not.toMatch(/href="[^"]*"onclick/);
  expect(page).not.toMatch(/^# "x"/m);
  const shown = page.slice(page.indexOf('<div class="board" v-pre'));
  expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;{{ constructor }} # &quot;x&quot;');
  // Without a schedule it has no gap, and stands in its table all the same.
  expect(shown).toContain('<td>–</td>');
});

test('the leaderboard shows every planner of every entry', () => {
  const html = readFileSync(join(DIST, 'leaderboard.html'), 'utf8');
  const entries = leaderboardEntries();
  expect(entries.length).toBeGreaterThan(15);
  for (const { entry } of entries) {
    for (const planner of entry.planners) expect(html).toContain(`<code>${planner}</code>`);
  }
});
