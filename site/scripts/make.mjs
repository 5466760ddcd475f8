import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
  writeReports();
  if (hasPlayground) cpSync(PLAYGROUND, join(DIST, 'playground'), { recursive: true });
  completeSitemap(`${origin}${root}`, [
    'report/',
    'report/models.html',
    ...(hasPlayground ? ['playground/'] : []),
  ]);
  if (warnings.length > 0) throw new Error(`TypeDoc warns:\n${warnings.join('\n')}`);
}

/**
 * Makes the pages of the reference results with the command that makes any page of results: one of the planners, which
 * ran on the same instances, and one of recorded answers, each of which has its own. It reads copies elsewhere: records
 * name the files of recorded answers, which are not ours to publish even where they are at hand.
 */
function writeReports() {
  const folder = mkdtempSync(join(tmpdir(), 'alas-jssp-site-'));
  mkdirSync(join(DIST, 'report'));
  try {
    const { planners, models } = referenceRuns();
    writeReport(copyRuns(planners, folder), 'index.html');
    writeReport(copyRuns(models, folder), 'models.html');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyRuns(runs, folder) {
  for (const run of runs) {
    for (const file of ['manifest.json', 'records.jsonl'])
      cpSync(join(ROOT, run, file), join(folder, run, file));
  }
  return runs.map((run) => join(folder, run));
}

function writeReport(runs, name) {
  const page = join(DIST, 'report', name);
  const command = ['bin/alas-jssp.js', 'report', ...runs, '--html', page, '--quiet'];
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
