// Sessions of a scripted client in front of real servers, with kills, late and lost answers, aborts and commits by
// chance; after each session the state of the servers is compared with what the report says.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import {
  type Counts,
  count,
  isClean,
  judge,
  leftProcesses,
  type MadeCall,
  type ReportedSession,
  reportOn,
} from './judge-session.js';
import { foreignCall, inputFor, randomCall } from './random-calls.js';
import { makeWorld, placesIn, readWorld, type WorldPlaces } from './real-world.js';
import type { ServerName } from './world.js';
import { applyCall } from './world-model.js';
import { chooseServers, writePolicy } from './world-servers.js';

/** A difference between the state of the servers and what the report says. */
export interface TrialProblem {
  readonly seed: string;
  readonly session: number;
  readonly problem: string;
  readonly facts: unknown;
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
  const servers = chooseServers(random);
  const files = writePolicy(places, seed, servers);
  const problems: TrialProblem[] = [];
  let guard: GuardProcess | undefined;
  let tried = 0;
  let before = readWorld(places);
  for (let session = 1; session <= sessions && problems.length === 0; session++) {
    guard ??= await startGuard(files);
    const played = await playSession(guard, { places, random, counts, session, servers });
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
    // A session without doubts has ended for good: what acts after its report shows in the next one.
    const isSettled = report !== undefined && report.inDoubt.length === 0;
    before = isSettled ? after : readWorld(places);
  }
  if (guard !== undefined && !guard.isOver()) await guard.leave();
  return { tried, problems };
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

interface Play {
  readonly places: WorldPlaces;
  readonly random: Random;
  readonly counts: Counts;
  readonly session: number;
  readonly servers: readonly ServerName[];
}

/** Makes random calls; servers and the guard may be killed in the middle. */
async function playSession(guard: GuardProcess, play: Play): Promise<MadeCall[]> {
  const { places, random, counts, session, servers } = play;
  const made: MadeCall[] = [];
  const length = random.integer(1, 7);
  const killAt = random.next() < 0.25 ? random.integer(0, length - 1) : -1;
  for (let i = 0; i < length && !guard.isOver(); i++) {
    if (random.next() < 0.04) made.push(actForeign(places, random, counts));
    const one: MadeCall = {
      call: randomCall(random, servers),
      key: `${session}-${i}`,
      told: 'nothing',
    };
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
      /server-(filesystem|memory|git|sqlite)/.test(command) && !command.includes('bin/alas-jssp'),
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
