import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { referenceRuns } from './leaderboard.mjs';
import { writePages } from './pages.mjs';
import { repairPicture } from './picture.mjs';
import { DIST, PLAYGROUND, ROOT, SITE } from './places.mjs';
import { writeReference } from './reference.mjs';

/**
 * Makes the site: the documents, the API reference, the page of the reference results and the playground.
 *
 * @param base path of the site on its host, with a slash at both ends
 * @param origin address of its host, without a slash at its end
 * @throws if a document links to a page that does not exist, or a doc comment to a name that does not
 */
export async function makeSite({ base, origin, hasPlayground }) {
  const root = `/${base}/`.replaceAll(/\/+/g, '/');
  rmSync(DIST, { recursive: true, force: true });
  writePages({ hasPlayground, picture: await repairPicture() });
  Object.assign(process.env, {
    SITE_BASE: root,
    SITE_ORIGIN: origin,
    SITE_PLAYGROUND: hasPlayground ? 'yes' : 'no',
  });
  await build(SITE, { base: root });
  const warnings = await writeReference(join(DIST, 'api'), { base: root, hasPlayground });
  writeReport();
  if (hasPlayground) cpSync(PLAYGROUND, join(DIST, 'playground'), { recursive: true });
  completeSitemap(`${origin}${root}`, ['report/', ...(hasPlayground ? ['playground/'] : [])]);
  if (warnings.length > 0) throw new Error(`TypeDoc warns:\n${warnings.join('\n')}`);
}

/** Makes the page of the reference results with the command that makes any page of results. */
function writeReport() {
  mkdirSync(join(DIST, 'report'));
  const page = join(DIST, 'report', 'index.html');
  const command = [
    'bin/alas-jssp.js',
    'report',
    ...referenceRuns().planners,
    '--html',
    page,
    '--quiet',
  ];
  execFileSync(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Adds the pages to the sitemap that VitePress does not know. */
function completeSitemap(address, parts) {
  const file = join(DIST, 'sitemap.xml');
  const api = readdirSync(join(DIST, 'api'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => `api/${name.replaceAll('\\', '/').replace(/^index\.html$/, '')}`);
  const urls = [...parts, ...api.sort()].map((path) => `<url><loc>${address}${path}</loc></url>`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('</urlset>', `${urls.join('')}</urlset>`));
}
