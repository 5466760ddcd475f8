import { defineConfig } from 'vitest/config';

// Tests of the package for coordination problems, which uses the others as they are built.
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    env: { FORCE_COLOR: '0' },
    include: ['packages/coordination/test/**/*.test.ts'],
  },
});
