import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cli } from '../cli.js';

// The example with alternatives, setups and operators: its commands in the page, and what the page shows of them.

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const page = readFileSync('docs/how-to/shop-data.md', 'utf8');
const section = page.slice(
  page.indexOf('## A shop with alternatives, setups and operators'),
  page.indexOf('## Orders and routings'),
);

/** The texts of the code blocks of the section in a language. */
const blocks = (language: string) =>
  [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text);

/** The arguments of a command line of the page. */
const argumentsOf = (line: string) =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain).slice(2);

/** A line without the time that the machine took. */
const timeless = (line: string) => line.replace(/planned in .*/, 'planned in a moment');

it('the page shows the commands of the example with alternatives as they are', async () => {
  cpSync('examples/workshop-real', directory, { recursive: true });
  const commands = blocks('sh').flatMap((text) => text.trim().split('\n'));
  const printed: string[] = [];
  for (const line of commands.filter((one) => one.startsWith('npx alas-jssp '))) {
    const { code, stdout, stderr } = await cli(argumentsOf(line), { cwd: directory, terminal: 80 });
    expect({ line, code }).toEqual({ line, code: 0 });
    printed.push(...`${stdout}\n${stderr}`.split('\n').map(timeless));
  }
  expect(commands).toHaveLength(7);
  const shown = blocks('').flatMap((text) => text.trim().split('\n'));
  expect(shown.length).toBeGreaterThan(25);
  expect(shown.filter((line) => !printed.includes(timeless(line)))).toEqual([]);
});

it('the work of the broken lathe is done on the other one, and no one works who is not there', async () => {
  const followed = JSON.parse(readFileSync(join(directory, 'followed.json'), 'utf8')) as {
    entries: { job: string; operation: string; machine: string; start: string; mode?: number }[];
  };
  const of = (job: string, operation: string) =>
    followed.entries.find((one) => one.job === job && one.operation === operation);
  expect(of('WO-5102', 'turning')?.machine).toBe('Lathe 1');
  const broken = followed.entries.filter(
    ({ machine, start }) =>
      machine === 'Lathe 2' && start > '2026-11-23T12:10' && start < '2026-11-24T06:00',
  );
  expect(broken).toEqual([]);
  const start = of('WO-5104', 'assembling')?.start ?? '';
  // It needs Ana, who is there in the morning, and Ben, who is back at six.
  expect(start > '2026-11-24T06:00' && start < '2026-11-24T14:00').toBe(true);
});
