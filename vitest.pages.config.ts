import { defineConfig } from 'vitest/config';
import base, { IN_BROWSER } from './vitest.config.js';

// Tests of the pages, the playground and the engine for browsers, in Chromium.
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // As in vitest.config.ts: files share what they import.
    isolate: false,
    // Each test has a browser beside it.
    maxWorkers: 2,
    unstubEnvs: true,
    execArgv: ['--no-concurrent-recompilation'],
    env: { FORCE_COLOR: '0' },
    include: IN_BROWSER,
  },
});
