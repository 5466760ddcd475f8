// The guard in front of real servers, against their real state.
//   npm run trials -- guard [--sessions 1000] [--parallel 4] [--seed N] [--keep]
// A scripted client makes random calls through `alas-jssp guard` in front of the filesystem and memory servers and that
// of Git, SQLite or both (engines/mcp-servers/install.sh), behind shims that delay and lose calls and answers. The guard and the servers are killed
// (SIGKILL) at random moments; sessions end by commit, abort, the client's end, or a kill and a recovery. An oracle that knows
// the servers from their documentation compares files, graph, tables, index, branches and commits with what the report says: calls
// that it lists as kept exist, all others do not, and those in doubt are listed. Exits with 1 if not.
// --keep: directories of sessions with problems remain.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Counts } from '../guard/judge-session.js';
import { type TrialProblem, tryWorld } from '../guard/session-trial.js';
import { hasServers } from '../guard/world-servers.js';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    parallel: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
/** Sessions in one directory: later ones begin in the state that earlier ones left. */
const SESSIONS_PER_WORLD = 25;

if (!hasServers) {
  console.error('the servers are not installed: run engines/mcp-servers/install.sh');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'guard-trial-'));
const counts: Counts = {};
const problems: TrialProblem[] = [];
let left = Number(values.sessions);
let world = 0;

/** No name of a world begins with that of another one: processes are found by it. */
function nameOf(number: number): string {
  return String(number).padStart(5, '0');
}

/** Tries one world after the other. They wait more than they compute, so several do it at once. */
async function tryWorlds(): Promise<void> {
  while (left > 0) {
    const size = Math.min(left, SESSIONS_PER_WORLD);
    left -= size;
    const number = ++world;
    const directory = join(scratch, nameOf(number));
    const { tried, problems: found } = await tryWorld(
      directory,
      `${values.seed}-${number}`,
      size,
      counts,
    );
    left += size - tried;
    problems.push(...found);
    for (const problem of found) console.log(JSON.stringify(problem));
    if (!values.keep || found.length === 0) rmSync(directory, { recursive: true });
    console.error(`${counts.sessions} sessions, ${problems.length} problems`);
  }
}

await Promise.all(Array.from({ length: Number(values.parallel) }, tryWorlds));
for (const [what, count] of Object.entries(counts).sort()) console.log(`${what}: ${count}`);
console.log(`states that differ from what reports say, and other problems: ${problems.length}`);
if (problems.length === 0) rmSync(scratch, { recursive: true });
process.exitCode = problems.length === 0 ? 0 : 1;
