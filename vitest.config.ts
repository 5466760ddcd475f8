import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Nothing fails because a machine is slow or busy: what never ends is all that these end.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    // The files of one worker share what they import, which takes longer than most of them. A
    // test that changes the process (its clock, environment or directory) changes it back.
    pool: 'forks',
    isolate: false,
    unstubEnvs: true,
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
  },
});
