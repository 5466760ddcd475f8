import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {} from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { LOCALE, texts } from './texts.js';

/** The rights of the page: to run its own script and style, and to speak with the service that it came from. */
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
}

/**
 * Adds the foreman's page to a service: `/`, `/page.js` and `/page.css`, for everybody who can reach it. What it
 * shows it asks the service for, with the token of whoever looks at it.
 *
 * @throws Error `ENOENT` if the page was not built
 */
export function addPageRoutes(app: FastifyInstance): void {
  const { resolve } = createRequire(import.meta.url);
  const script = readFileSync(resolve('#shop-page-script'), 'utf8');
  const style = readFileSync(resolve('#shop-page-style'), 'utf8');
  const files: Record<string, PageFile> = {
    '/': { type: 'text/html', body: pageHtml(hash(script), hash(style)) },
    '/page.js': { type: 'text/javascript', body: script },
    '/page.css': { type: 'text/css', body: style },
  };
  for (const [path, { type, body }] of Object.entries(files)) {
    const tag = `"${hash(body)}"`;
    app.get(path, { config: { role: null }, schema: { hide: true } }, (request, reply) => {
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

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The page without its contents; script and style are named by what they hold, so that old ones are not kept. */
function pageHtml(script: string, style: string): string {
  return [
    '<!doctype html>',
    `<html lang="${LOCALE}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${texts.title}</title>`,
    '<link rel="icon" href="data:,">',
    `<link rel="stylesheet" href="page.css?${style}">`,
    `<script src="page.js?${script}" defer></script>`,
    '</head>',
    '<body>',
    `<div id="app"><noscript>${texts.noScript}</noscript></div>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
