import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LANGUAGES, type Language } from '@alas-jssp/core/languages';
import type {} from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { languageOf } from '../http/language.js';
import { PAGE_TEXTS } from './texts/texts.js';

/** The content security policy of the page: its own script and style, and requests to its own service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly body: string;
  /** Its entity tag. */
  readonly tag: string;
}

/**
 * Adds the foreman's page to a service: `/`, `/page.js` and `/page.css`, without a token. The page requests all its
 * data from the service, with the token of its user. The first request reads the files.
 */
export function addPageRoutes(app: FastifyInstance): void {
  let files: ReadonlyMap<string, PageFile> | null = null;
  for (const path of ['/', '/page.js', '/page.css']) {
    const config = { role: null, isTranslated: path === '/' };
    const options = { config, schema: { hide: true }, exposeHeadRoute: true };
    app.get(path, options, (request, reply) => {
      files ??= readPage();
      const name = path === '/' ? languageOf(request) : path;
      const { type, body, tag } = files.get(name) as PageFile;
      reply.headers({
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
        etag: tag,
      });
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
      return reply.type(`${type}; charset=utf-8`).send(body);
    });
  }
}

/** Reads the files of the page from the build; the page itself in each language. */
function readPage(): ReadonlyMap<string, PageFile> {
  const { resolve } = createRequire(import.meta.url);
  const script = readFileSync(resolve('#shop-page-script'), 'utf8');
  const style = readFileSync(resolve('#shop-page-style'), 'utf8');
  const file = (type: string, body: string) => ({ type, body, tag: `"${hash(body)}"` });
  return new Map([
    ...LANGUAGES.map((language): [string, PageFile] => [
      language,
      file('text/html', pageHtml(hash(script), hash(style), language)),
    ]),
    ['/page.js', file('text/javascript', script)],
    ['/page.css', file('text/css', style)],
  ]);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The page without its contents; hashes in the addresses of script and style keep browsers from using old ones. */
function pageHtml(script: string, style: string, language: Language): string {
  const { locale, title, noScript } = PAGE_TEXTS[language];
  return [
    '<!doctype html>',
    `<html lang="${locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    '<link rel="icon" href="data:,">',
    `<link rel="stylesheet" href="page.css?${style}">`,
    `<script src="page.js?${script}" defer></script>`,
    '</head>',
    '<body>',
    `<div id="app"><noscript>${noScript}</noscript></div>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
