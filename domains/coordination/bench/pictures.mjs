// Makes the picture of docs/coordination.md anew: the page of a printed plan, as Chromium shows it.
//   npm run coordination:pictures
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'coordination-pictures-'));
const file = join(directory, 'wedding.html');
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const plans = ['--plan', 'sagallm-table-8', '--before', 'sagallm-table-6', '--now', '13:00'];
  const command = join(root, 'domains/coordination/bin/alas-coordination.js');
  const words = ['show', 'wedding-traffic', ...plans, '--html', file, '--quiet'];
  execFileSync(process.execPath, [command, ...words], { stdio: 'inherit' });
  const page = await browser.newPage({ viewport: { width: 1440, height: 1640 } });
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: join(root, 'docs/pictures/coordination-page.png') });
} finally {
  await browser.close();
  rmSync(directory, { recursive: true, force: true });
}
