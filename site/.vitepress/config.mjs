import { defineConfig } from 'vitepress';
import { ORIGIN, REPOSITORY } from '../scripts/places.mjs';
import { sidebar } from './sidebar.mjs';
import { slugify } from './slug.mjs';

const {
  SITE_BASE: base = '/',
  SITE_ORIGIN: origin = ORIGIN,
  SITE_PLAYGROUND: playground,
} = process.env;
const hasPlayground = playground === 'yes';

/** Parts of the site that are not VitePress's: links to them load a page. */
const APART = ['api', 'report', ...(hasPlayground ? ['playground'] : [])];

const TITLE = 'alas-jssp';
const SUMMARY =
  'Job-shop scheduling for plans you cannot trust: benchmarks, validation, repair, search.';

/** What a card in a chat or a social network shows. */
function card({ pageData, title, description }) {
  const path = pageData.relativePath.replace(/index\.md$/, '').replace(/\.md$/, '.html');
  const meta = (key, name, content) => ['meta', { [key]: name, content }];
  return [
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', TITLE),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', `${origin}${base}${path}`),
    meta('name', 'twitter:card', 'summary'),
  ];
}

export default defineConfig({
  base,
  title: TITLE,
  description: SUMMARY,
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: false,
  lastUpdated: true,
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }],
    ['meta', { name: 'theme-color', content: '#16324f' }],
  ],
  transformHead: card,
  // What an edit changes is the document, not its copy.
  transformPageData: (page) => ({ filePath: page.frontmatter.source ?? page.filePath }),
  sitemap: { hostname: `${origin}${base}` },
  ignoreDeadLinks: APART.map((part) => new RegExp(`^(?:\\.?/)+${part}/`)),
  markdown: {
    anchor: { slugify },
    // Readable on the grey of blocks: at least 4.5 to 1.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: (md) => md.use(tablesThatScroll).use(plainFormats),
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Docs', link: '/docs/', activeMatch: '^/docs/' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      ...(hasPlayground
        ? [{ text: 'Playground', link: '/playground/index.html', target: '_self' }]
        : []),
      { text: 'Report', link: '/report/index.html', target: '_self' },
      { text: 'Leaderboard', link: '/leaderboard' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'The sources' }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
    footer: { message: 'MIT license. No tracking, no cookies.' },
  },
});

/** Wide tables scroll by themselves, with the keyboard, too. Headings without text are not headings. */
function tablesThatScroll(md) {
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  md.core.ruler.push('empty_headings', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type !== 'th_open' || tokens[index + 1].content !== '') return;
      token.tag = 'td';
      tokens[index + 2].tag = 'td';
    });
  });
}

/** Languages of blocks that are not our own formats, which no highlighter knows. */
const LANGUAGES = [
  'console',
  'csv',
  'html',
  'js',
  'json',
  'jsonl',
  'md',
  'python',
  'sh',
  'ts',
  'xml',
  'yaml',
];

/** Indented blocks look like fenced ones, and those in formats of job shops are shown as plain text. */
function plainFormats(md) {
  const { highlight } = md.options;
  md.options.highlight = (code, language, attributes) =>
    highlight(code, LANGUAGES.includes(language) ? language : 'txt', attributes);
  md.renderer.rules.code_block = (tokens, index, ...rest) =>
    md.renderer.rules.fence(tokens, index, ...rest);
}
