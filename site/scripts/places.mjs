import { fileURLToPath } from 'node:url';

/** The address of the repository, until it has a public one. */
export const REPOSITORY = 'https://github.com/alas-jssp/alas-jssp';

/** Where the site is published by default, for the sitemap and for cards in social networks. */
export const ORIGIN = 'https://alas-jssp.github.io';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The checkout. */
export const ROOT = at('../../');
export const SITE = at('../');
/** The pages as VitePress reads them: made by `pages.mjs`, never edited. */
export const PAGES = at('../pages/');
/** The finished site. */
export const DIST = at('../dist/');
/** The playground, if it is built. */
export const PLAYGROUND = at('../../dist/playground/');
