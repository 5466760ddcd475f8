import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { PAGES } from '../scripts/places.mjs';

/** The parts of the documents, in the order in which a newcomer needs them. */
const PARTS = [
  { text: 'Start', folder: 'docs/start' },
  { text: 'How to', folder: 'docs/how-to' },
  { text: 'Reference', folder: 'docs/reference' },
  { text: 'Design', folder: 'docs/design' },
  { text: 'Contribute', folder: 'docs/contribute' },
];

const PROJECT = [
  'CONTRIBUTING',
  'CHANGELOG',
  'SECURITY',
  'CODE_OF_CONDUCT',
  'benchmarks/SOURCES',
  'results/index',
];

/**
 * The sidebar: all documents with their headings as names, in the order in which docs/README.md mentions them. Pages
 * that it does not mention are at the end of their part, so that none is lost.
 */
export function sidebar() {
  const overview = readFileSync(join(PAGES, 'docs/index.md'), 'utf8');
  const mentioned = Array.from(
    overview.matchAll(/\]\(\.\/([^)#]+)\.md/g),
    ([, path]) => `docs/${path}`,
  );
  const rank = (path) => (mentioned.includes(path) ? mentioned.indexOf(path) : mentioned.length);
  const byRank = (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1);
  const pagesIn = (pattern) =>
    globSync(pattern, { cwd: PAGES })
      .map((file) => file.replace(/\.md$/, ''))
      .sort(byRank);
  const parts = PARTS.map(({ text, folder }) => ({
    text,
    collapsed: text !== 'Start',
    items: [...pagesIn(`${folder}/*.md`).map(item), ...deeper(folder, pagesIn)],
  }));
  return [
    {
      items: [
        { text: 'What it is', link: '/about' },
        { text: 'All documents', link: '/docs/' },
        ...['docs/limits', 'docs/reproduce'].map(item),
        { text: 'Leaderboard', link: '/leaderboard' },
      ],
    },
    ...parts.filter(({ items }) => items.length > 0),
    {
      text: 'Packages',
      collapsed: true,
      items: pagesIn(['packages/*/*.md', 'clients/**/*.md']).map(item),
    },
    {
      text: 'Project',
      collapsed: true,
      items: PROJECT.filter((path) => existsSync(`${join(PAGES, path)}.md`)).map(item),
    },
  ];
}

/** Folders within a part, such as decisions within the design: one collapsed group each. */
function deeper(folder, pagesIn) {
  const folders = globSync(`${folder}/*`, {
    cwd: PAGES,
    onlyDirectories: true,
    expandDirectories: false,
  });
  return folders.sort().map((path) => {
    const name = path.replace(/\/$/, '');
    const text = name.split('/').at(-1).replaceAll('-', ' ');
    return {
      text: text[0].toUpperCase() + text.slice(1),
      collapsed: true,
      items: pagesIn(`${name}/**/*.md`).map(item),
    };
  });
}

/** An item with the first heading of its page. */
function item(path) {
  const [, heading = path] =
    /^# (.+)$/m.exec(readFileSync(join(PAGES, `${path}.md`), 'utf8')) ?? [];
  return { text: heading.replaceAll('`', ''), link: `/${path.replace(/(^|\/)index$/, '$1')}` };
}
