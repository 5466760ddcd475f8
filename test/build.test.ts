import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './temporary-directory.js';

const root = join(import.meta.dirname, '..');

/** What the scripts of a small project write from which source. Each script also notes that it ran. */
const WRITES: Readonly<Record<string, readonly [source: string, output: string]>> = {
  'build:client-types': ['schemas/openapi.json', 'packages/service/src/client/openapi.ts'],
  'build:packages': ['packages/core/src/index.ts', 'packages/core/dist/index.js'],
  'build:root': ['src/index.ts', 'dist/index.js'],
  'build:agents': ['packages/agents/src/index.ts', 'packages/agents/dist/index.js'],
  'build:coordination': ['packages/coordination/src/a.ts', 'packages/coordination/dist/a.js'],
  'build:kernel': ['src/search/kernel/index.ts', 'dist/search/kernel.wasm'],
  'build:flexible-kernel': ['src/search/kernel/index.ts', 'dist/search/flexible-kernel.wasm'],
  'build:thread': ['dist/index.js', 'dist/thread/worker.js'],
  'build:browser': ['src/browser/index.ts', 'dist/browser/engine.js'],
  'build:playground': ['src/playground/main.tsx', 'dist/playground/page.js'],
  'build:page': ['src/report/page/browser/main.tsx', 'dist/report/page/page.js'],
  'build:service': ['packages/service/src/index.ts', 'packages/service/dist/index.js'],
  'build:engine': ['dist/search/kernel.wasm', 'packages/engine/dist/code/kernel.wasm'],
  'compile:lab': ['packages/lab/src/run.ts', 'packages/lab/dist/run.js'],
};

/** A program that all systems run: it copies a file, and notes the name of the script. */
const COPY = `
import { appendFileSync, copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
const [name, source, output] = process.argv.slice(2);
mkdirSync(dirname(output), { recursive: true });
copyFileSync(source, output);
appendFileSync('ran.log', name + '\\n');
`;

/** A project with the steps of this one, whose scripts copy a file. */
function createProject() {
  const home = temporaryDirectory();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  };
  for (const [source] of Object.values(WRITES)) if (!source.startsWith('dist')) write(source, 'a');
  const scripts = Object.entries(WRITES).map(([name, [source, output]]) => [
    name,
    `node copy.mjs ${name} ${source} ${output}`,
  ]);
  write('package.json', JSON.stringify({ scripts: Object.fromEntries(scripts) }));
  write('copy.mjs', COPY);
  mkdirSync(join(home, 'node_modules'));
  symlinkSync(
    join(root, 'node_modules/tinyglobby'),
    join(home, 'node_modules/tinyglobby'),
    'junction',
  );
  mkdirSync(join(home, 'scripts'));
  cpSync(join(root, 'scripts/build.mjs'), join(home, 'scripts/build.mjs'));
  /** Builds, and answers the scripts that ran. */
  const build = (...args: string[]) => {
    write('ran.log', '');
    const { status } = spawnSync(process.execPath, ['scripts/build.mjs', ...args], { cwd: home });
    const ran = readFileSync(join(home, 'ran.log'), 'utf8').split('\n').filter(Boolean);
    return { status, ran: ran.map((name) => name.replace('build:', '')) };
  };
  const read = (file: string) => readFileSync(join(home, file), 'utf8');
  return { home, write, read, build };
}

const ALL = Object.keys(WRITES).map((name) => name.replace('build:', ''));

/** The steps that run after a change of one file. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  'src/search/kernel/index.ts': [
    'root',
    'kernel',
    'flexible-kernel',
    'browser',
    'playground',
    'page',
    'service',
    'engine',
  ],
  'src/index.ts': [
    'root',
    'agents',
    'coordination',
    'thread',
    'browser',
    'playground',
    'page',
    'service',
    'engine',
    'compile:lab',
  ],
  'packages/coordination/src/a.ts': ['coordination', 'compile:lab'],
  'packages/service/src/index.ts': ['service', 'compile:lab'],
  'schemas/openapi.json': ['client-types', 'service', 'compile:lab'],
  'node_modules/.package-lock.json': ALL,
};

describe('the build', () => {
  it('runs the steps that depend on a change, and no other', () => {
    const { home, write, read, build } = createProject();
    expect(build()).toEqual({ status: 0, ran: ALL.filter((name) => name !== 'compile:lab') });
    expect(build('--lab').ran).toEqual(['compile:lab']);
    const later = Date.now() / 1000 + 60;
    utimesSync(join(home, 'src/index.ts'), later, later);
    expect(build('--lab')).toEqual({ status: 0, ran: [] });
    for (const [file, steps] of Object.entries(AFTER)) {
      write(file, `b of ${file}`);
      expect(build('--lab'), file).toEqual({ status: 0, ran: steps });
      for (const [source, output] of Object.values(WRITES))
        expect(read(output), output).toBe(read(source));
    }
    expect(build('--lab').ran).toEqual([]);
  });

  it('makes outputs again that are missing or were changed', () => {
    const { home, write, read, build } = createProject();
    build('--lab');
    for (const [, output] of Object.values(WRITES)) rmSync(join(home, output));
    expect(build('--lab').ran).toEqual(ALL);
    write('dist/search/kernel.wasm', 'damaged');
    write('dist/thread/worker.js', 'damaged');
    expect(build('--lab').ran).toEqual(['kernel', 'thread']);
    for (const [, output] of Object.values(WRITES)) expect(read(output), output).toBe('a');
  });

  it('stops at a step that fails, and runs it again', () => {
    const { home, write, read, build } = createProject();
    rmSync(join(home, 'packages/agents/src/index.ts'));
    expect(build()).toEqual({ status: 1, ran: ['client-types', 'packages', 'root'] });
    write('packages/agents/src/index.ts', 'c');
    expect(build().ran[0]).toBe('agents');
    expect(read('packages/agents/dist/index.js')).toBe('c');
  });

  it('runs only the steps that are named', () => {
    const { build } = createProject();
    expect(build('page', 'lab')).toEqual({ status: 0, ran: ['page', 'compile:lab'] });
    expect(build('nothing')).toEqual({ status: 2, ran: [] });
  });
});
