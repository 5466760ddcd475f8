import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { printableLine } from '@alas-jssp/core/errors';
import { escapeHtml, type Markup, markup } from './markup.js';
import type { PageContents, PageDetail } from './views/page-data.js';

/** The browser's part of a page, as `npm run build` bundles it. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** A static page, which needs its script only to switch between light and dark. */
export interface StillPage {
  readonly title: string;
  readonly body: Markup;
  /** Style in addition to that of all pages. */
  readonly style: string;
  /** Name and version of the program that made it. */
  readonly maker: string;
}

/**
 * Writes a page of results as one HTML file. Data are in elements that browsers do not execute; details are compressed
 * (gzip, base64), each in its own element.
 *
 * @throws RangeError if script or style would end their element, which is a bug of the bundle
 */
export function pageHtml({ data, details }: PageContents, assets: PageAssets): string {
  const elements = [
    '<div id="app"><noscript>This page needs JavaScript, which is turned off in this browser.</noscript></div>',
    `<script type="application/json" id="page-data">${escapedJson(data)}</script>`,
    ...Array.from(details, detailElement),
  ];
  return documentHtml(data.title, elements, assets);
}

/**
 * Writes a static page as one HTML file.
 *
 * @throws RangeError if script or style would end their element
 */
export function stillPageHtml(page: StillPage, { script, style }: PageAssets): string {
  const { html } = markup`<header class="page-head"><h1>${page.title}</h1>
<button type="button" class="quiet" id="theme">light / dark</button></header>
<main>${page.body}</main>
<footer>Made by ${page.maker}: one file that asks no network for anything.</footer>`;
  return documentHtml(page.title, [html], { script, style: style + page.style });
}

/**
 * A document that needs no network and runs nothing but its own script: a content security policy names the
 * SHA-256 of script and style.
 */
function documentHtml(
  title: string,
  elements: readonly string[],
  { script, style }: PageAssets,
): string {
  for (const text of [script, style]) {
    if (/<\/(script|style)|<!--/i.test(text))
      throw new RangeError('the bundle would end its element');
  }
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(printableLine(title))}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    ...elements,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/**
 * JSON that cannot end its element or begin a comment. Characters that change the text direction are shown as code
 * points, because one in a name would reverse the text after it.
 */
function escapedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll(/\p{Bidi_Control}/gu, (sign) => `\\${printableLine(sign)}`);
}

function detailElement({ kind, key, detail }: PageDetail): string {
  if (!/^[\w.-]+$/.test(key)) throw new RangeError(`the key '${key}' is no part of a route`);
  const packed = gzipSync(JSON.stringify(detail)).toString('base64');
  return `<script type="text/plain" id="${kind}/${key}">${packed}</script>`;
}
