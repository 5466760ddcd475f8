import { defineConfig } from 'vitest/config';

// Tests of the packages for other domains, which use this package as it is built.
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    env: { FORCE_COLOR: '0' },
    include: ['domains/**/*.test.ts'],
  },
});
