// Makes the pictures of docs/how-to/coordination.md anew: pages of a printed plan and of one of ours, as Chromium shows them.
//   npm run coordination:pictures
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const command = join(root, 'packages/coordination/bin/alas-coordination.js');
const printed = ['--plan', 'sagallm-table-8', '--before', 'sagallm-table-6', '--now', '13:00'];

/** Name of the picture, the command whose page it shows, and how high it is. */
const PICTURES = [
  { name: 'coordination-page', words: ['show', 'wedding-traffic', ...printed], height: 1640 },
  { name: 'coordination-dinner', words: ['plan', 'thanksgiving'], height: 720 },
];

const directory = mkdtempSync(join(tmpdir(), 'coordination-pictures-'));
const options = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] };
const browser = await chromium.launch(options);
try {
  for (const { name, words, height } of PICTURES) {
    const file = join(directory, `${name}.html`);
    const stdio = ['ignore', 'ignore', 'inherit'];
    execFileSync(process.execPath, [command, ...words, '--html', file, '--quiet'], { stdio });
    const page = await browser.newPage({ viewport: { width: 1440, height } });
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(directory, { recursive: true, force: true });
}
