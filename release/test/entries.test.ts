import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { describe, expect, inject, it } from 'vitest';
import { runProgram, shell, workFolder } from './project.js';

const tarballs = inject('tarballs');
const project = inject('project');
const homeOf = (name: string) => join(project, 'node_modules', name);
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(homeOf(name), 'package.json'), 'utf8'));

interface Target {
  readonly types?: string;
}

/** The entries of a package that hold code; those with an asterisk are listed. */
function entriesOf(name: string): string[] {
  return Object.entries<Target | string>(manifestOf(name).exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [];
    if (!entry.includes('*')) return [join(name, entry)];
    const files = readdirOf(name, target.types ?? '');
    return files.map((one) => join(name, entry).replace('*', one));
  });
}

/** What stands for the asterisk of `./dist/*.d.ts` in the files of a package. */
function readdirOf(name: string, pattern: string): string[] {
  const [before, after] = pattern.split('*');
  return globSync(pattern, { cwd: homeOf(name) })
    .map((path) => `./${path}`)
    .map((path) => path.slice(before.length, path.length - after.length));
}

describe.each(tarballs)('$name, installed from its tarball', ({ name, version }) => {
  it('is not the checkout, and has the version and a licence', () => {
    expect(manifestOf(name)).toMatchObject({ name, version, license: 'MIT' });
    expect(readFileSync(join(homeOf(name), 'LICENSE'), 'utf8')).toContain('MIT License');
    // A link would lead to the checkout.
    expect(realpathSync(homeOf(name))).toBe(homeOf(name));
  });

  it('has entries that can be imported', () => {
    const entries = entriesOf(name);
    expect(entries.length).toBeGreaterThan(0);
    const { code, stdout, stderr } = runProgram(
      `const counts = {};
      for (const entry of ${JSON.stringify(entries)}) counts[entry] = Object.keys(await import(entry)).length;
      console.log(JSON.stringify(counts));`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const counts = JSON.parse(stdout);
    // Files of types alone have no values; the entries that documents name have.
    for (const [entry, count] of Object.entries(counts))
      if (!/^@alas-jssp\/core\//.test(entry)) expect(count, entry).toBeGreaterThan(0);
  });

  it('has files behind its other entries', () => {
    const files = Object.values<Target | string>(manifestOf(name).exports).filter(
      (target) => typeof target === 'string',
    );
    for (const file of files)
      expect(globSync(String(file), { cwd: homeOf(name) }), String(file)).not.toEqual([]);
  });
});

/** With `skipLibCheck: false` the compiler checks all of our declarations, and that those they import are installed. */
it('the types of all entries compile, with the libraries that were installed', () => {
  const cwd = workFolder();
  const imports = tarballs
    .flatMap(({ name }) => entriesOf(name))
    .map((entry, index) => `import type * as _${index} from '${entry}';`);
  writeFileSync(join(cwd, 'main.ts'), `${imports.join('\n')}\nexport {};\n`);
  const ownModule = (path: string) =>
    fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
  const options = [
    '--noEmit --pretty false --strict --skipLibCheck false --module nodenext --target es2023',
    '--lib es2023,dom,dom.iterable --types node --typeRoots',
  ];
  const args = [
    ownModule('typescript/bin/tsc'),
    ...options.join(' ').split(' '),
    ownModule('@types'),
    'main.ts',
  ];
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  // Errors within libraries of others, such as Temporal's, are not ours to fix.
  const isOurs = (line: string) =>
    /^(main\.ts|.*node_modules\/(@alas-jssp|alas-jssp)\/)/.test(line);
  expect(stdout.split('\n').filter(isOurs)).toEqual([]);
});

describe('the commands', () => {
  const commands = tarballs.flatMap(({ name, version }) =>
    Object.keys(manifestOf(name).bin ?? {}).map((command) => ({ command, version })),
  );

  it.each(commands)('$command prints its version and its help', ({ command, version }) => {
    const printed = shell(`npx ${command} --version`, project);
    // The worker of Temporal adds the hash of its workflows.
    expect(printed.stdout).toMatch(new RegExp(`^${version.replaceAll('.', '[.]')}(-\\w+)?\n$`));
    const help = shell(`npx ${command} --help`, project);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Usage:');
  });
});
