import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Many tests wait for processes of their own: two cores can do two at a time.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
  },
});
