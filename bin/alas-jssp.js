#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

// Not awaited here: Node itself would explain a command that never ends, at length and wrongly.
main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
