import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { homePage } from './home.mjs';
import { leaderboardEntries, leaderboardPage } from './leaderboard.mjs';
import { pagePath, rewriteLinks } from './links.mjs';
import { PAGES, ROOT, SITE } from './places.mjs';

/** The documents that are pages of the site: all of docs/, and what belongs to the project as a whole. */
const DOCUMENTS = [
  'docs/**/*.md',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'benchmarks/SOURCES.md',
  'results/README.md',
  'clients/python/README.md',
  'packages/*/README.md',
];

const PICTURES = ['docs/**/*.{png,svg,jpg,webp}'];

/** Writes all pages for VitePress into `site/pages`, with links as they are on the site. */
export function writePages({ hasPlayground, picture }) {
  rmSync(PAGES, { recursive: true, force: true });
  const documents = globSync(DOCUMENTS, { cwd: ROOT, ignore: '**/node_modules/**' });
  const pictures = globSync(PICTURES, { cwd: ROOT });
  const onSite = new Set([...documents, ...pictures]);
  const isFolder = (path) =>
    existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isDirectory();
  const dates = lastChanges();
  for (const file of documents) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const matter = [
      '---',
      `source: ${file}`,
      `description: ${JSON.stringify(summaryOf(text))}`,
      ...(dates.has(file) ? [`lastUpdated: ${dates.get(file)}`] : ['lastUpdated: false']),
      '---',
      '',
    ];
    const body = rewriteLinks(text, file, (path) => onSite.has(path), isFolder);
    writePage(pagePath(file), `${matter.join('\n')}${body}`);
  }
  for (const file of pictures) {
    mkdirSync(dirname(join(PAGES, file)), { recursive: true });
    cpSync(join(ROOT, file), join(PAGES, file));
  }
  writePage('index.md', homePage({ hasPlayground, picture }));
  writePage('leaderboard.md', leaderboardPage(leaderboardEntries()));
  cpSync(join(SITE, 'public'), join(PAGES, 'public'), { recursive: true });
}

function writePage(path, text) {
  const file = join(PAGES, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * The first paragraph of a page as plain text of up to 200 characters, for search engines and social networks. The
 * status of a decision says nothing about it.
 */
export function summaryOf(markdown) {
  const isText = (part) => /^[A-Za-z`*[]/.test(part) && !/^(?:\[!\[|Status: )/.test(part);
  const paragraph = markdown.split(/\n{2,}/).find((part) => isText(part)) ?? '';
  const plain = paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*_]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length <= 200 ? plain : `${plain.slice(0, 197).replace(/\s\S*$/, '')} …`;
}

/** When each file was last changed. A shallow clone does not know, and a page without a date is better than a wrong one. */
function lastChanges() {
  const dates = new Map();
  const git = (...args) =>
    execFileSync('git', ['-C', ROOT, ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return dates;
    let date = '';
    for (const line of git('log', '--format=@%cI', '--name-only', '--', '*.md').split('\n')) {
      if (line.startsWith('@')) date = line.slice(1);
      else if (line !== '' && !dates.has(line)) dates.set(line, date);
    }
  } catch {
    // Sources without a repository, from a tarball, have no dates.
  }
  return dates;
}
