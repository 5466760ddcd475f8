// Makes the pictures of docs/how-to/page.md again: runs with rules, the search, and the recorded answers of the tests
// (nobody's model: they were made up), their pages, and what Chromium shows of them.
//   npm run bench -- page-pictures
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'pictures-'));

function alas(...args: string[]) {
  const options: ExecFileSyncOptions = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
  try {
    execFileSync(process.execPath, [join(root, 'bin/alas-jssp.js'), ...args], options);
  } catch (error) {
    // 1 only says that not every record is feasible.
    if ((error as { status?: number }).status !== 1) throw error;
  }
}

function page(run: string | null, ...more: string[]) {
  alas('report', ...(run === null ? [] : [run]), ...more, '--html', `${run ?? 'log'}.html`, '-q');
}

function makePages() {
  const planners = ['dispatch:best', 'dispatch:spt', 'insertion', 'search:2k-iterations'];
  const named = planners.flatMap((planner) => ['--planner', planner]);
  alas('run', '--suite', 'ft,abz,la,orb,swv', ...named, '--out', 'planners', '-q');
  page('planners');

  cpSync(join(root, 'test/llm/cassettes/scripted'), join(cwd, 'answers'), { recursive: true });
  const answers = ['run', '--suite', 'ft06,la01,la02,la03', '--planner', 'replay:answers'];
  alas(
    ...answers,
    '--repair',
    'llm',
    '--rounds',
    '2',
    '--save-schedules',
    '--out',
    'answered',
    '-q',
  );
  page('answered');

  const methods = ['--disrupt', 'medium', '--repair', 'lcrp,right-shift'];
  alas(...answers, ...methods, '--save-schedules', '--out', 'disrupted', '-q');
  page('disrupted');

  const rules = [
    { label: 'busy', node: 'ticket', attempt: 1, kind: 'failure', code: 'Busy' },
    { label: 'down', node: 'confirmation', kind: 'failure', code: 'Down' },
  ];
  writeFileSync(
    join(cwd, 'faults.json'),
    JSON.stringify({ schema: 'alas-jssp/faults@1', seed: 1, rules }),
  );
  const examples = join(root, 'examples');
  alas(
    'workflow',
    'run',
    join(examples, 'refund.json'),
    '--log',
    'refund.db',
    '-q',
    '--handlers',
    join(examples, 'refund-handlers.js'),
    '--inject',
    'faults.json',
    '--input',
    '{"order":"A-7","amount":59.9,"days":3}',
  );
  page(null, '--log', 'refund.db');
}

/** Name of the picture, the page and the view that it is of, and how wide the window is. */
interface PageView {
  name: string;
  of: string;
  route: string;
  width: number;
  height: number;
  scheme?: 'dark' | 'light';
}

const PICTURES: PageView[] = [
  { name: 'page-overview', of: 'planners', route: '#/', width: 1440, height: 1500 },
  { name: 'page-phone', of: 'planners', route: '#/', width: 390, height: 1200, scheme: 'dark' },
  { name: 'page-failures', of: 'answered', route: '#/failures', width: 1440, height: 1120 },
  {
    name: 'page-record',
    of: 'answered',
    route: '#/record/la03__replay-answers__full__0',
    width: 1440,
    height: 1300,
  },
  {
    name: 'page-execution',
    of: 'disrupted',
    route: '#/execution/la02__replay-answers__full__lcrp__0',
    width: 1440,
    height: 1100,
  },
  { name: 'page-log', of: 'log', route: '', width: 1440, height: 900 },
];

async function takePictures() {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  for (const { name, of, route, width, height, scheme = 'light' } of PICTURES) {
    const window = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
    window.on('console', (message) => console.error(`${name}: ${message.text()}`));
    const file = join(cwd, `${of}.html`);
    const started = performance.now();
    await window.goto(`${pathToFileURL(file)}${route}`);
    await window.waitForSelector('main > *');
    const milliseconds = Math.round(performance.now() - started);
    await window.waitForTimeout(800);
    await window.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
    console.log(`${name}: ${of}.html, ${statSync(file).size} bytes, open after ${milliseconds} ms`);
    await window.close();
  }
  await browser.close();
}

try {
  makePages();
  await takePictures();
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
