import { defineConfig } from 'vitest/config';

// Tests of the engines that other people wrote. Those of engines that are not installed are skipped.
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 30_000,
    pool: 'forks',
    // As in vitest.config.ts: these tests end threads, too.
    execArgv: ['--no-concurrent-recompilation'],
    // They wait more than they compute.
    maxWorkers: 2,
    include: ['engines/**/*.test.ts', 'packages/temporal/test/**/*.test.ts'],
  },
});
