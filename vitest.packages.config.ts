import { defineConfig } from 'vitest/config';

// Tests of the tarballs that `npm run pack` wrote: installed in a folder outside of the checkout, as strangers do.
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 2,
    env: { FORCE_COLOR: '0' },
    globalSetup: 'release/test/install.ts',
    include: ['release/test/**/*.test.ts'],
  },
});
