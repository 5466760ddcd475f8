import { exec } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bin, temporaryDirectory } from './cli.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = `"${process.execPath}" "${bin}"`;

/** The command lines of a document: in blocks and in running text, continued lines put together. */
function commandsOf(document: string): string[] {
  const lines = readFileSync(join(root, document), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    // A folded block of YAML goes on with the next option.
    .replaceAll(/\n\s+(?=--)/g, ' ')
    .split('\n');
  return (
    lines
      .flatMap((line) => /`(npx alas-jssp [^`]*)`|(npx alas-jssp .*)/.exec(line) ?? [])
      .filter((text) => text?.startsWith('npx alas-jssp'))
      .map((text) => text.replace(/\s+#.*/, ''))
      .filter((text, index, all) => text !== all[index - 1])
      // A command without its arguments is only spoken of; capitals stand for what the user fills in.
      .filter((text) => !/…|\b[A-Z]{3,}\b/.test(text))
  );
}

/** A working directory with the runs that the documents take for granted. */
async function preparedDirectory(): Promise<string> {
  const cwd = temporaryDirectory();
  const reference = join(root, 'results', 'reference', 'abz');
  mkdirSync(join(cwd, 'results', 'reference'), { recursive: true });
  const planners = '--planner dispatch:best --planner insertion';
  if (existsSync(reference))
    cpSync(reference, join(cwd, 'results/reference/abz'), { recursive: true });
  else await shell(`npx alas-jssp run --suite abz ${planners} --out results/reference/abz`, cwd);
  for (const name of ['now', 'new']) {
    await shell(`npx alas-jssp run --suite abz ${planners} --out results/${name}`, cwd);
  }
  return cwd;
}

/** Runs a command line with this package in the place of npx; what it writes anew must be gone. */
async function shell(command: string, cwd: string): Promise<void> {
  const out = / run .*--out (\S+)/.exec(command)?.[1];
  if (out !== undefined) rmSync(join(cwd, out), { recursive: true, force: true });
  await promisify(exec)(command.replaceAll('npx alas-jssp', program), { cwd, maxBuffer: 1e8 });
}

describe.each(['README.md', 'docs/cli.md', 'docs/ci.md'])('the commands of %s', (document) => {
  it('end with exit code 0, one after the other', async () => {
    const cwd = await preparedDirectory();
    const commands = commandsOf(document);
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const failure = await shell(command, cwd).catch(({ code, stderr }) => `${code}: ${stderr}`);
      expect(failure, command).toBeUndefined();
    }
  }, 180_000);
});

describe('the TypeScript of README.md', () => {
  it('compiles under the strictest options and runs', async () => {
    const cwd = temporaryDirectory();
    const [, code] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    writeFileSync(join(cwd, 'main.ts'), code ?? '');
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(root, join(cwd, 'node_modules', 'alas-jssp'), 'dir');
    const strict = '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes';
    const libraries = '--target es2023 --lib es2023,dom --module nodenext --types ""';
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    await promisify(exec)(`"${tsc}" ${strict} ${libraries} main.ts`, { cwd });
    const { stdout } = await promisify(exec)(`"${process.execPath}" main.js`, { cwd });
    expect(stdout).toMatch(/ true\n(false|true) \d+ \S/);
  });
});
