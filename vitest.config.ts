import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests in a browser: `npm run test:pages`. */
export const IN_BROWSER = [
  'test/{browser,playground}/**/*.test.ts',
  'test/report/page/{gantt,page}.test.ts',
  'packages/service/test/page/*.test.ts',
];

/** Tests with commands of their own, which CONTRIBUTING.md lists. */
const APART = [
  ...IN_BROWSER,
  'packages/coordination/**',
  'packages/temporal/**',
  'packages/agents/**',
  'packages/blueprint/**',
];
const tests = globSync(['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { ignore: APART });
/** Tests that put another module in the place of one: they need modules of their own. */
const mocking = tests.filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

/**
 * Packages of this workspace are tested as they are written: their entries are those that `alas-source` names. As a
 * condition it would reach the threads that tests start, too, which cannot read TypeScript.
 */
const alias = ['.', ...globSync('packages/*', { onlyDirectories: true })].flatMap((home) => {
  const { name, exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return Object.entries<{ 'alas-source'?: string }>(exports ?? {}).flatMap(([entry, target]) => {
    const source = target['alas-source'];
    if (source === undefined) return [];
    const [find, file] = [join(name, entry), join(import.meta.dirname, home, source)];
    return {
      find: new RegExp(`^${find.replace('*', '(.*)')}$`),
      replacement: file.replace('*', '$1'),
    };
  });
});

/** What all of these tests, and those with commands of their own, have in common. */
export const common = {
  // Nothing fails because a machine is slow or busy: what never ends is all that these end.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 600_000,
  pool: 'forks',
  // Node 20 takes a process down if a thread ends while V8 compiles for it in the background ("Assertion failed:
  // (data.first) != nullptr" in node_platform.cc), and these tests end many threads.
  execArgv: ['--no-concurrent-recompilation'],
  // Tests wait for a third of their time: for threads, services and limits of time.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  unstubEnvs: true,
  // Programs that tests start print no colours, whatever the terminal or CI asks for.
  env: { FORCE_COLOR: '0' },
} satisfies ViteUserConfig['test'];

export default defineConfig({
  resolve: { alias },
  test: {
    ...common,
    globalSetup: 'test/fresh-threads.ts',
    projects: [
      {
        extends: true,
        test: {
          // The files of one worker share what they import, which takes longer than most of them.
          // A test that changes the process (its clock, environment or directory) changes it back.
          name: 'shared',
          isolate: false,
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...mocking, ...APART],
        },
      },
      { extends: true, test: { name: 'isolated', isolate: true, include: mocking } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**', 'packages/*/src/**'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
  },
});
