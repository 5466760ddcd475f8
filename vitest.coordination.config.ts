import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Tests of the package for coordination problems, which uses the others as they are built.
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // As in vitest.config.ts: files share what they import, and tests wait for a part of their time.
    isolate: false,
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    unstubEnvs: true,
    env: { FORCE_COLOR: '0' },
    include: ['packages/coordination/test/**/*.test.ts'],
  },
});
