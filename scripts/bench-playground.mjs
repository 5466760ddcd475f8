// Measures repairs in the playground: twenty breakdowns of ta41, each undone, in Chromium, with the figures of the page.
// Usage: node scripts/bench-playground.mjs [BENCHMARK]   after npm run build
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const BREAKDOWNS = 20;
const page = join(fileURLToPath(new URL('..', import.meta.url)), 'dist/playground/index.html');

/**
 * The milliseconds that the page shows after each of twenty breakdowns of different machines at different times.
 *
 * @param tab the open page
 */
export async function measureBreakdowns(tab, benchmark) {
  const button = (name) => tab.getByRole('button', { name, exact: true });
  const number = (name) => tab.getByRole('spinbutton', { name, exact: true });
  const machine = tab.getByRole('combobox', { name: 'Machine', exact: true });
  await tab.getByRole('combobox', { name: 'Benchmark', exact: true }).selectOption(benchmark);
  await tab.getByRole('heading', { name: `Opened ${benchmark}`, exact: true }).waitFor();
  // The page prepares repairs while its reader looks at the plan.
  await tab.waitForTimeout(2000);
  const machines = await machine.locator('option').count();
  const makespan = Number(await tab.locator('.tiles dd').nth(2).innerText());
  const measured = [];
  for (let i = 0; i < BREAKDOWNS; i++) {
    await machine.selectOption(String((7 * i) % machines));
    await number('At').fill(String(Math.round((makespan * (i + 1)) / (BREAKDOWNS + 4))));
    await button('Break it').click();
    await button('Undo').waitFor();
    const words = await tab.locator('.figures dd').first().innerText();
    const verdict = await tab.locator('.tiles dd').first().innerText();
    measured.push({ milliseconds: Number.parseFloat(words), isValid: verdict === 'valid' });
    await button('Undo').click();
    await button('Undo').waitFor({ state: 'detached' });
  }
  return measured;
}

/** Median, 95th percentile and maximum in words. */
export function summary(measured) {
  const sorted = measured.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share) => sorted[Math.ceil(share * sorted.length) - 1].toFixed(1);
  return `${sorted.length} repairs: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [benchmark = 'ta41'] = process.argv.slice(2);
  const executablePath = '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const tab = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  await tab.goto(pathToFileURL(page).href);
  process.stdout.write(`${benchmark}: ${summary(await measureBreakdowns(tab, benchmark))}\n`);
  await browser.close();
}
