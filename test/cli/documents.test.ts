import { exec } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { describe, expect, it, test } from 'vitest';
import { linkPackages } from '../link-packages.js';
import { temporaryDirectory } from './cli.js';
import { shell } from './shell.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A command line of a document, and the directory in which a reader is by then. */
interface DocumentCommand {
  readonly text: string;
  readonly directory: string;
}

/** The command lines of a document: in blocks and in running text, continued lines put together. */
function commandsOf(document: string): DocumentCommand[] {
  const lines = readFileSync(join(root, document), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    // A folded block of YAML continues with the next option.
    .replaceAll(/\n\s+(?=--)/g, ' ')
    .split('\n');
  // It holds for the rest of its section.
  let directory = '.';
  const commands: DocumentCommand[] = [];
  for (const line of lines) {
    if (line.startsWith('## ')) directory = '.';
    directory = /^cd (\S+)$/.exec(line)?.[1] ?? directory;
    const found = /`(npx alas-jssp [^`]*)`|(npx alas-jssp .*)/.exec(line) ?? [];
    for (const text of found) {
      if (text?.startsWith('npx alas-jssp')) {
        commands.push({ text: text.replace(/\s+#.*/, ''), directory });
      }
    }
  }
  return (
    commands
      .filter(({ text }, index, all) => text !== all[index - 1]?.text)
      // A command without its arguments is only spoken of; capitals stand for what the user fills in.
      .filter(({ text }) => !/…|\b[A-Z]{3,}\b/.test(text))
      // A service runs until it is ended.
      .filter(({ text }) => !/^npx alas-jssp (serve|mcp)\b/.test(text))
  );
}

/** A working directory with the runs that the documents take for granted. */
function preparedDirectory(): string {
  const cwd = temporaryDirectory();
  for (const name of ['reference/abz', 'now', 'new']) {
    cpSync(join(root, 'results/reference/abz'), join(cwd, 'results', name), { recursive: true });
  }
  const entries = 'results/reference/leaderboard/entries';
  cpSync(join(root, entries), join(cwd, entries), { recursive: true });
  cpSync(join(root, 'examples'), join(cwd, 'examples'), { recursive: true });
  return cwd;
}

/** Runs a command of a document; existing output is removed first, and searches are short. */
async function run(command: string, cwd: string): Promise<void> {
  // Without --out the directory is named after the time, in seconds.
  const [, out = 'results/*-20??-*'] = / run .*--out (\S+)/.exec(command) ?? [];
  for (const run of globSync(out, { cwd, onlyDirectories: true, expandDirectories: false })) {
    rmSync(join(cwd, run), { recursive: true, force: true });
  }
  const { code, stderr } = await shell(command.replace('--budget 2s', '--budget 0.2s'), cwd);
  expect(code, `${command}: ${stderr}`).toBe(0);
}

const documents = [
  'README.md',
  'docs/reference/cli.md',
  'docs/how-to/ci.md',
  'docs/reference/workflow.md',
  'docs/how-to/shop.md',
  'docs/how-to/shop-data.md',
];

describe.each([...documents, 'docs/how-to/convert.md'])('the commands of %s', (document) => {
  it('end with exit code 0, one after the other', async () => {
    const cwd = preparedDirectory();
    const commands = commandsOf(document);
    expect(commands.length).toBeGreaterThan(4);
    for (const { text, directory } of commands) await run(text, join(cwd, directory));
  });
});

describe('the TypeScript of README.md', () => {
  it('compiles under the strictest options and runs', async () => {
    const cwd = temporaryDirectory();
    const [, code] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    writeFileSync(join(cwd, 'main.ts'), code ?? '');
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    linkPackages(cwd);
    const strict = '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes';
    const libraries = '--target es2023 --lib es2023,dom --module nodenext --types ""';
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    await promisify(exec)(`"${tsc}" ${strict} ${libraries} main.ts`, { cwd });
    const { stdout } = await promisify(exec)(`"${process.execPath}" main.js`, { cwd });
    expect(stdout).toMatch(/ true\n(false|true) \d+ \S/);
  });
});

test('a command in a block of a document is one that a clone has', () => {
  const bare = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((document) => {
    const blocks = readFileSync(join(root, document), 'utf8').matchAll(/```sh\n(.*?)```/gs);
    return [...blocks].flatMap(([, block]) => block.match(/^\s*alas-jssp .*/gm) ?? []);
  });
  expect(bare).toEqual([]);
});
