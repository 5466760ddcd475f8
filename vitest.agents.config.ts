import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

// Tests of the packages for agents and for drafts of workflows.
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // As in vitest.config.ts: files share what they import, and tests wait for a part of their time.
    isolate: false,
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    unstubEnvs: true,
    // As in vitest.config.ts: the tests of the sandbox end threads, too.
    execArgv: ['--no-concurrent-recompilation'],
    env: { FORCE_COLOR: '0' },
    include: ['packages/{agents,blueprint}/test/**/*.test.ts'],
  },
});
