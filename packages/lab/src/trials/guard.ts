// The guard in front of three real servers, against their real state.
//   npm run trials -- guard [--sessions 1000] [--seed N] [--keep]
// A scripted client makes random calls through `alas-jssp guard` in front of the filesystem, memory and Git servers
// (engines/mcp-servers/install.sh), behind shims that delay and lose calls and answers. The guard and the servers are killed
// (SIGKILL) at random moments; sessions end by commit, abort, the client's end, or a kill and a recovery. An oracle that knows
// the servers from their documentation compares files, graph, index, branches and commits with what the report says: calls
// that it lists as kept exist, all others do not, and those in doubt are listed. Exits with 1 if not.
// --keep: directories of sessions with problems remain.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Counts, SERVERS, type TrialProblem, tryWorld } from '../guard/session-trial.js';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
/** Sessions in one directory: later ones begin in the state that earlier ones left. */
const SESSIONS_PER_WORLD = 25;

if (!existsSync(join(SERVERS, 'installed.txt'))) {
  console.error('the servers are not installed: run engines/mcp-servers/install.sh');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'guard-trial-'));
const counts: Counts = {};
const problems: TrialProblem[] = [];
let world = 0;
for (let left = Number(values.sessions); left > 0; left -= SESSIONS_PER_WORLD) {
  const directory = join(scratch, String(++world));
  const size = Math.min(left, SESSIONS_PER_WORLD);
  const found = await tryWorld(directory, `${values.seed}-${world}`, size, counts);
  problems.push(...found);
  if (!values.keep || found.length === 0) rmSync(directory, { recursive: true });
  if (process.stderr.isTTY)
    process.stderr.write(`\r${counts.sessions} sessions, ${problems.length} problems`);
}
for (const problem of problems.slice(0, 10)) console.log(JSON.stringify(problem));
for (const [what, count] of Object.entries(counts).sort()) console.log(`${what}: ${count}`);
console.log(`states that differ from what reports say, and other problems: ${problems.length}`);
if (problems.length === 0) rmSync(scratch, { recursive: true });
process.exitCode = problems.length === 0 ? 0 : 1;
