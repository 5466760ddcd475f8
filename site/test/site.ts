import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { fileOf } from '../scripts/serve.mjs';

/** The path below which the tests have the site. */
export const BASE = '/alas-jssp/';

export const DIST = 'site/dist';

/** Parts whose pages are programs: their addresses after `#` are views. */
const PROGRAMS = /^(?:report|playground)\//;

/** A page of the site as it is in its file. */
export interface SitePage {
  /** Its path below the base. */
  readonly path: string;
  readonly ids: ReadonlySet<string>;
  /** Targets of links, as they are written. */
  readonly links: readonly string[];
  /** Addresses that a browser loads to show it. */
  readonly loads: readonly string[];
}

/** All pages of the site, but the programs. */
export function sitePages(): SitePage[] {
  return globSync('**/*.html', { cwd: DIST })
    .filter((path) => !PROGRAMS.test(path))
    .sort()
    .map((path) => readPage(path, readFileSync(join(DIST, path), 'utf8')));
}

function readPage(path: string, html: string): SitePage {
  const shown = html.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.slice(0, script.indexOf('>') + 1),
  );
  const valuesOf = (pattern: RegExp) =>
    Array.from(shown.matchAll(pattern), ([, value]) => decode(value));
  return {
    path,
    ids: new Set(valuesOf(/\sid="([^"]*)"/g)),
    links: valuesOf(/<a\b[^>]*?\shref="([^"]*)"/g),
    loads: [
      ...valuesOf(/<(?:script|img|iframe|source|audio|video)\b[^>]*?\ssrc="([^"]*)"/g),
      ...valuesOf(/<link\b[^>]*?\shref="([^"]*)"/g),
      ...valuesOf(/<use\b[^>]*?\shref="([^"]*)"/g),
    ],
  };
}

function decode(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => names[name]);
}

/** The fault of a link within the site, or null. */
export function faultOf(
  link: string,
  from: SitePage,
  pages: ReadonlyMap<string, SitePage>,
): string | null {
  const url = new URL(link, `http://site${BASE}${from.path}`);
  const file = fileOf(decodeURIComponent(url.pathname), BASE);
  if (file === null) return 'there is no such page';
  const path = file.slice(file.indexOf(`${DIST}/`) + DIST.length + 1);
  const page = pages.get(path);
  const anchor = decodeURIComponent(url.hash.slice(1));
  if (anchor === '' || page === undefined) return null;
  return page.ids.has(anchor) ? null : `there is no #${anchor} in ${path}`;
}

export function isExternal(link: string): boolean {
  return /^[a-z][a-z+.-]*:|^\/\//i.test(link);
}

/** The path in the checkout of a link to the code host, or null if it leads elsewhere. */
export function checkoutPath(link: string, repository: string): string | null {
  const [, path] = new RegExp(`^${repository}/(?:blob|tree|edit)/main/([^#?]*)`).exec(link) ?? [];
  return path === undefined ? null : decodeURI(path);
}

export const hasPlayground = existsSync(join(DIST, 'playground', 'index.html'));
