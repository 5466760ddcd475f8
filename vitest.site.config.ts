import { defineConfig } from 'vitest/config';

// Tests of the web site, which is built first: see site/.
export default defineConfig({
  test: {
    globalSetup: 'site/test/build-site.ts',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
    include: ['site/test/**/*.test.ts'],
  },
});
