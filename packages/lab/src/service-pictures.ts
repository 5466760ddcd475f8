// Makes the pictures of docs/shop-page.md again: the shop of the demo after four hours, a breakdown that is answered by a
// proposal, and the form of a rush order, as Chromium shows them on a tablet.
//   npm run bench -- service-pictures
import { fileURLToPath } from 'node:url';
import {
  createApp,
  demoRequest,
  openShopDirectory,
  type ShopDirectory,
} from '@alas-jssp/service/internal/lab';
import { chromium, type Page } from 'playwright-core';

const pictures = fileURLToPath(new URL('../../../docs/pictures', import.meta.url));
const kim = { caller: { name: 'kim', role: 'decide' as const } };

/** The shop of the demo, whose time stands still but for events, so that the pictures are always the same. */
async function openDemo(directory: ShopDirectory) {
  const { id } = await directory.create({ ...demoRequest('demo'), clock: null }, kim);
  const happens = async (now: number, event: { kind: string; [field: string]: unknown }) => {
    const { status } = await directory.report(id, { now, events: [event] }, kim);
    if (status !== 'waiting') return;
    const { proposal } = await directory.state(id);
    if (proposal !== null) await directory.approve(id, proposal.name, kim);
  };
  await happens(95, { kind: 'duration', job: 'WO-4718', step: 1, duration: 170 });
  await happens(150, {
    kind: 'arrival',
    job: {
      name: 'WO-4721',
      operations: [
        { machine: 'Mill', duration: 60 },
        { machine: 'Grinder', duration: 45 },
      ],
      due: 480,
      weight: 3,
    },
  });
  await happens(215, { kind: 'breakdown', machine: 'Mill', to: 300 });
  return id;
}

const directory = await openShopDirectory({});
const id = await openDemo(directory);
const app = await createApp({ directory, onFault: console.error });
const address = await app.listen({ port: 0, host: '127.0.0.1' });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

async function picture(
  name: string,
  { height = 768, scheme = 'light' }: { height?: number; scheme?: 'dark' | 'light' },
  prepare: (page: Page) => Promise<void> = async () => {},
) {
  const viewport = { width: 1024, height };
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  page.on('console', (message) => console.error(`${name}: ${message.text()}`));
  await page.goto(`${address}/#/shop/${id}`);
  await page.getByText('live', { exact: true }).waitFor();
  await prepare(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${pictures}/${name}.png` });
  console.log(name);
  await page.close();
}

try {
  await picture('shop-page', { height: 900 });
  const event = { kind: 'breakdown', machine: 'Lathe 2' };
  await directory.report(id, { now: 250, events: [event] }, kim);
  await picture('shop-page-proposal', {});
  await picture('shop-page-report', { scheme: 'dark' }, async (page) => {
    await page.getByRole('button', { name: 'Report …', exact: true }).click();
    await page.getByLabel('What happened?').selectOption({ label: 'A rush order came' });
    await page.getByLabel('Name of the order').fill('WO-4722');
    await page.getByLabel('Name of operation 1').fill('deburring');
    await page.getByLabel('Operation 1 takes (min)').fill('40');
    await page.getByLabel('Due').fill('2026-11-23T14:00');
    await page.getByRole('button', { name: 'What would it cost?' }).click();
    await page.locator('.trial').waitFor();
  });
} finally {
  await browser.close();
  await app.close();
  await directory.stop();
}
