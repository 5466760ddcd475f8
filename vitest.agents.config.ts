import { defineConfig } from 'vitest/config';
import base, { common } from './vitest.config.js';

// Tests of the packages for agents and for drafts of workflows.
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    ...common,
    // Files share what they import, which takes longer than most of them.
    isolate: false,
    include: ['packages/{agents,blueprint}/test/**/*.test.ts'],
  },
});
