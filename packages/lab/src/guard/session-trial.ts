// Sessions of a scripted client in front of three real servers, with kills, late and lost answers, aborts and commits by
// chance; after each session the state of the servers is compared with what the report says.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '@alas-jssp/core/random';
import {
  type GuardFiles,
  type GuardProcess,
  processesOf,
  type Response,
  recoverGuard,
  startGuard,
} from './guard-process.js';
import { foreignCall, inputFor, randomCall } from './random-calls.js';
import { makeWorld, placesIn, readWorld, type WorldPlaces } from './real-world.js';
import { textOfWorld, type World, type WorldCall } from './world.js';
import { applyCall } from './world-model.js';

const engines = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
export const SERVERS = join(engines, 'mcp-servers-2026.10');
const SHIM = join(import.meta.dirname, 'shim.js');

/** Counts of everything that has happened. */
export type Counts = Record<string, number>;

/** A difference between the state of the servers and what the report says. */
export interface TrialProblem {
  readonly seed: string;
  readonly session: number;
  readonly problem: string;
  readonly facts: unknown;
}

/** A call that the client made. */
interface MadeCall {
  readonly call: WorldCall;
  readonly key: string;
  /** What the client was told: the status, or that there was no answer. */
  told: string;
}

interface ReportedSession {
  readonly status: string;
  readonly calls: readonly { call: number; tool: string; status: string; requestKey?: string }[];
  readonly inDoubt: readonly number[];
  readonly remaining: readonly number[];
}

/**
 * Runs sessions in one directory, from one seed. It ends early after a session that could not be taken back, because later
 * recoveries would try that again.
 */
export async function tryWorld(
  directory: string,
  seed: string,
  sessions: number,
  counts: Counts,
): Promise<{ readonly tried: number; readonly problems: readonly TrialProblem[] }> {
  mkdirSync(directory, { recursive: true });
  const places = placesIn(directory);
  makeWorld(places);
  const random = createRandom(seed);
  const files = writePolicy(places, seed);
  const problems: TrialProblem[] = [];
  let guard: GuardProcess | undefined;
  let tried = 0;
  for (let session = 1; session <= sessions && problems.length === 0; session++) {
    const before = readWorld(places);
    guard ??= await startGuard(files);
    const played = await playSession(guard, { places, random, counts, session });
    const report = await settled(
      guard,
      files,
      played,
      counts,
      await endSession(guard, files, random, counts),
    );
    if (guard.isOver()) guard = undefined;
    tried++;
    count(counts, 'sessions');
    count(counts, `sessions ${report?.status ?? 'committed, answer lost'}`);
    const after = readWorld(places);
    const found = judge(before, after, played, report, counts);
    if (guard === undefined) found.push(...(await leftProcesses(places)));
    for (const [problem, facts] of found) {
      const calls = played.map(({ call, told, key }) => ({ ...call, told, key }));
      problems.push({ seed, session, problem, facts: { facts, calls, report, directory } });
    }
    if (!isClean(report)) break;
  }
  if (guard !== undefined && !guard.isOver()) await guard.leave();
  return { tried, problems };
}

/** Whether a session left nothing that later recoveries would try to take back. */
function isClean(report: ReportedSession | undefined): boolean {
  return report === undefined || report.status === 'committed' || report.status === 'taken-back';
}

/** The report of a session after it was recovered, if it could not be taken back at first, as its person would do. */
async function settled(
  guard: GuardProcess,
  files: GuardFiles,
  made: readonly MadeCall[],
  counts: Counts,
  reports: readonly ReportedSession[],
): Promise<ReportedSession | undefined> {
  const first = reportOn(made, reports);
  if (isClean(first) || guard.isOver()) return first;
  count(counts, `sessions ${first?.status} before a recovery`);
  await guard.leave();
  const again = (await recoverGuard(files)).reports as readonly ReportedSession[];
  return reportOn(made, again) ?? first;
}

/** The report that lists the calls of a session. */
function reportOn(
  made: readonly MadeCall[],
  reports: readonly ReportedSession[],
): ReportedSession | undefined {
  const keys = new Set(made.map(({ key }) => key));
  return reports.find(({ calls }) =>
    calls.some(({ requestKey }) => requestKey !== undefined && keys.has(requestKey)),
  );
}

function count(counts: Counts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

function writePolicy({ directory, root, repository, graph }: WorldPlaces, seed: string) {
  const script = (name: string) =>
    join(SERVERS, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');
  const shim = (name: string, ...command: string[]) => ({
    command: [process.execPath, SHIM, `${seed}-${name}`, '0.06', '3000', ...command],
    directory,
  });
  const git = [join(SERVERS, 'git/bin/mcp-server-git'), '--repository', repository];
  const policy = {
    schema: 'alas-jssp/guard@1',
    servers: {
      files: shim('files', process.execPath, script('filesystem'), root),
      memory: {
        ...shim('memory', process.execPath, script('memory')),
        environment: ['MEMORY_FILE_PATH'],
      },
      git: shim('git', ...git),
    },
    timeoutSeconds: 2,
    lateAnswerSeconds: 1,
  };
  const file = join(directory, 'policy.json');
  writeFileSync(file, JSON.stringify(policy, null, 2));
  return {
    policy: file,
    log: join(directory, 'guard.db'),
    report: join(directory, 'report.json'),
    environment: { MEMORY_FILE_PATH: graph },
  };
}

interface Play {
  readonly places: WorldPlaces;
  readonly random: Random;
  readonly counts: Counts;
  readonly session: number;
}

/** Makes random calls; servers and the guard may be killed in the middle. */
async function playSession(guard: GuardProcess, play: Play): Promise<MadeCall[]> {
  const { places, random, counts, session } = play;
  const made: MadeCall[] = [];
  const length = random.integer(1, 7);
  const killAt = random.next() < 0.25 ? random.integer(0, length - 1) : -1;
  for (let i = 0; i < length && !guard.isOver(); i++) {
    if (random.next() < 0.04) made.push(actForeign(places, random, counts));
    const one: MadeCall = { call: randomCall(random), key: `${session}-${i}`, told: 'nothing' };
    made.push(one);
    const answer = send(guard, one, places);
    if (random.next() < 0.05) await killServer(places, random, counts);
    if (i === killAt) {
      await wait(random.integer(0, 250));
      await guard.kill();
      count(counts, 'guards killed');
    }
    one.told = toldBy(await answer);
    count(counts, 'calls');
    count(counts, `told ${one.told}`);
    if (random.next() < 0.08 && !guard.isOver()) await repeat(guard, one, play);
  }
  return made;
}

async function send(guard: GuardProcess, { call, key }: MadeCall, places: WorldPlaces) {
  const input = inputFor(call, places);
  const response = await guard.call(`${call.server}_${call.tool}`, input, key);
  return response;
}

/** The status in an answer. */
function toldBy(response: Response): string {
  if ('gone' in response) return 'nothing';
  const meta = response.result._meta as Record<string, { status?: string }> | undefined;
  return meta?.['alas-jssp/guard']?.status ?? `no status: ${JSON.stringify(response.result)}`;
}

/** The same request again: it must not act twice, which the state shows. */
async function repeat(guard: GuardProcess, one: MadeCall, { places, counts }: Play): Promise<void> {
  const told = toldBy(await send(guard, one, places));
  count(counts, 'requests repeated');
  if (told !== 'nothing') one.told = told;
}

function actForeign(places: WorldPlaces, random: Random, counts: Counts): MadeCall {
  const call = foreignCall(random);
  const world = readWorld(places);
  const isPossible = applyCall(world, call) !== world;
  if (isPossible) {
    count(counts, 'writes of somebody else');
    writeFileSync(join(places.root, String(call.input.path)), String(call.input.content));
  }
  return { call, key: '', told: isPossible ? 'done' : 'refused' };
}

/** Kills a server, or the shim in front of it. */
async function killServer(places: WorldPlaces, random: Random, counts: Counts): Promise<void> {
  await wait(random.integer(0, 60));
  const servers = processesOf(places.directory).filter(
    ({ command }) =>
      /server-(filesystem|memory|git)/.test(command) && !command.includes('bin/alas-jssp'),
  );
  const victim = servers[random.integer(0, Math.max(0, servers.length - 1))];
  if (victim === undefined) return;
  try {
    process.kill(victim.id, 'SIGKILL');
    count(counts, 'servers killed');
  } catch {
    // It has ended in the meantime.
  }
}

/** Ends the session in one of the ways that there are; the reports that this gave. */
async function endSession(
  guard: GuardProcess,
  files: GuardFiles,
  random: Random,
  counts: Counts,
): Promise<readonly ReportedSession[]> {
  const recovered = async () => (await recoverGuard(files)).reports as readonly ReportedSession[];
  if (guard.isOver()) return recovered();
  const way = random.next();
  if (way < 0.1) {
    await guard.leave();
    count(counts, 'clients left');
    return JSON.parse(readFileSync(files.report, 'utf8'));
  }
  const tool = way < 0.4 ? 'guard_abort' : 'guard_commit';
  const answer = guard.call(tool, {}, '');
  if (way > 0.9 || way < 0.2) {
    await wait(random.integer(0, 150));
    await guard.kill();
    count(counts, 'guards killed at the end');
  }
  const response = await answer;
  const { status, ...report } = (
    'result' in response ? response.result.structuredContent : {}
  ) as Partial<ReportedSession>;
  if (status !== undefined && status !== 'open') return [{ status, ...report } as ReportedSession];
  // A commit is refused while a call is in doubt; a killed guard answers nothing.
  if (!guard.isOver()) {
    count(counts, 'commits refused');
    const aborted = await guard.call('guard_abort', {}, '');
    if ('result' in aborted) return [aborted.result.structuredContent as ReportedSession];
  }
  return recovered();
}

type Found = [problem: string, facts: unknown];

/** Compares the state after a session with what the report says. */
function judge(
  before: World,
  after: World,
  made: readonly MadeCall[],
  report: ReportedSession | undefined,
  counts: Counts,
): Found[] {
  const found: Found[] = [];
  const fates = made.map((one) => fateOf(one, report));
  const doubts = fates.filter((fate) => fate === 'doubt').length;
  if (doubts > 0) count(counts, 'sessions with doubts');
  made.forEach((one, i) => {
    const isKept = report?.status === 'committed';
    if (isKept && one.told === 'done' && fates[i] === 'gone') {
      found.push(['a call that was told done is not kept by a commit', one]);
    }
    if (one.told === 'refused' && fates[i] === 'kept') {
      found.push(['a call that was told refused is kept', one]);
    }
    if (one.told.startsWith('no status')) found.push(['an answer has no status', one]);
  });
  const real = textOfWorld(after);
  for (let chosen = 0; chosen < 2 ** doubts; chosen++) {
    let bit = 0;
    let world = before;
    made.forEach(({ call }, i) => {
      const happens = fates[i] === 'kept' || (fates[i] === 'doubt' && (chosen >> bit++) & 1);
      if (happens) world = applyCall(world, call);
    });
    if (textOfWorld(world) === real) return found;
  }
  found.push([
    'the state is not what the report says',
    { fates, before: textOfWorld(before), real },
  ]);
  return found;
}

/** Whether the effect of a call exists after its session, by the report. */
function fateOf({ call, key, told }: MadeCall, report: ReportedSession | undefined) {
  if (call.server === 'somebody') return told === 'done' ? 'kept' : 'gone';
  // Without a report the session was committed before the guard was killed, or had no call at all.
  if (report === undefined)
    return told === 'done' ? 'kept' : told === 'in-doubt' ? 'doubt' : 'gone';
  const known = report.calls.find(({ requestKey }) => requestKey === key);
  if (known === undefined) return 'gone';
  if (report.inDoubt.includes(known.call)) return 'doubt';
  if (report.status === 'committed') return known.status === 'done' ? 'kept' : 'gone';
  return report.remaining.includes(known.call) ? 'kept' : 'gone';
}

/** Servers whose guard was killed end when they read the end of their input; until then they are waited for. */
async function leftProcesses({ directory }: WorldPlaces): Promise<Found[]> {
  for (let left = 60; left > 0 && processesOf(directory).length > 0; left--) await wait(500);
  const left = processesOf(directory);
  return left.length === 0 ? [] : [['processes are left after the guard has ended', left]];
}
