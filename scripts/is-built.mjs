// Tells `npm run prepare` whether it has nothing to do. `npx alas-jssp` in a clone prepares the
// clone before it starts the command, some versions of npm every time: what is built stays then.
import { existsSync } from 'node:fs';

const isBuilt = existsSync(new URL('../dist/cli/main.js', import.meta.url));
process.exitCode = process.env.npm_command === 'exec' && isBuilt ? 0 : 1;
