import { defineConfig } from 'vitest/config';
import base, { common, IN_BROWSER } from './vitest.config.js';

// Tests of the pages, the playground and the engine for browsers, in Chromium.
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    ...common,
    // Files share what they import, which takes longer than most of them.
    isolate: false,
    // Each test has a browser beside it.
    maxWorkers: 2,
    include: IN_BROWSER,
  },
});
