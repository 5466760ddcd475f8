#!/usr/bin/env node
import v8 from 'node:v8';
import { main } from '../dist/cli/main.js';

// Node 20 takes the process down if a thread ends while V8 compiles for it in the background
// ("Assertion failed: (data.first) != nullptr"): threads compile what they run themselves.
v8.setFlagsFromString('--no-concurrent-recompilation');

// Not awaited here: Node itself would explain a command that never ends, at length and wrongly.
main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
