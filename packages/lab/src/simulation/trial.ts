// One trial: random workflows and random faults, all from one seed, driven until nothing is due; and
// then the world must agree with what the ends of the runs say.
import type { Random } from '@alas-jssp/core';
import {
  type AuditableLog,
  approve,
  cancelRun,
  compensateRun,
  createMemoryStore,
  createSimulation,
  deny,
  type EffectSummary,
  type LogStore,
  type NewEntry,
  type Node,
  type Payloads,
  type RunResult,
  type RunSimulation,
  replayRun,
  resumeRun,
  runWorkflow,
  type SimulatedFaults,
  type SimulatedProcess,
  settleEffect,
  signalRun,
  verifyLog,
  type Workflow,
} from '@alas-jssp/workflow';
import { randomWorkflow } from './workflows.js';
import { createWorld, type World } from './world.js';

/** Seconds of a trial in which faults occur. */
const CALM_AFTER = 400;

const SLOW = {
  slowCall: 0.3,
  longestCall: 60,
  hangingCall: 0.02,
  failingCall: 0.02,
  deafCall: 0.5,
};
const MESSAGES = { doubleMessage: 0.3, longestTelling: 20 };
const KILLS = { killEvery: 60, killAtAppend: 0.02, longestAbsence: 20 };
const PAUSES = { pauseEvery: 60, longestPause: 120, jumpEvery: 100, longestJump: 60 };
const DISK = { appendLost: 0.02, appendUnheard: 0.02 };
interface TrialRun {
  runId: string;
  workflow: Workflow;
  input: { list: number[]; room: number };
  snapshotEvery: number | undefined;
}

interface Trial {
  seed: number;
  kind: string;
  simulation: RunSimulation;
  world: World;
  runs: TrialRun[];
  store: AuditableLog;
  problems: string[];
  /** By run. */
  ends: Map<string, RunResult>;
}

/** Kinds of faults that occur together. */
const FAULTS: Record<string, Partial<SimulatedFaults>> = {
  none: {},
  slow: { ...SLOW, ...MESSAGES },
  kills: KILLS,
  pauses: { ...PAUSES, ...SLOW },
  disk: { ...DISK, ...SLOW },
  all: { ...SLOW, ...MESSAGES, ...KILLS, ...PAUSES, ...DISK },
};

/**
 * Makes a trial.
 *
 * @returns what went wrong, and the story that led there
 */
export async function tryOut(seed: number) {
  const problems: string[] = [];
  const store = recording(createMemoryStore(), problems);
  const kinds = Object.keys(FAULTS);
  const kind = kinds[seed % kinds.length];
  const faults = FAULTS[kind];
  const simulation = createSimulation({ seed, store, calmAfter: CALM_AFTER, faults });
  const { random } = simulation;
  const world = createWorld();
  const runs = prepareRuns(random);
  const trial: Trial = { seed, kind, simulation, world, runs, store, problems, ends: new Map() };
  try {
    const owners = random.integer(1, 3);
    for (let k = 0; k < owners; k++) simulation.start(`owner ${k}`, (one) => own(trial, one));
    simulation.start('people', (one) => sendMessages(trial, one));
    await simulation.run();
    do {
      simulation.start('last', (one) => bringToEnd(trial, one));
      await simulation.run();
    } while (isOpen(trial));
    await check(trial);
  } catch (error) {
    problems.push(`it threw ${(error as Error).stack ?? error}`);
  }
  return { seed, kind, problems, trial };
}

/** One run or two, which want the same room. */
function prepareRuns(random: Random): TrialRun[] {
  const room = random.integer(0, 1);
  return Array.from({ length: random.integer(1, 2) }, (_, k) => ({
    snapshotEvery: random.integer(0, 2) === 0 ? random.integer(1, 20) : undefined,
    runId: `run${k}`,
    workflow: randomWorkflow(random, 'simulated'),
    input: { list: [1, 2], room: random.integer(0, 9) === 0 ? 9 : room },
  }));
}

/** A process that wants all runs, and comes back to those that wait. */
async function own(
  { runs, world, simulation }: Trial,
  { store, options, registry }: SimulatedProcess,
) {
  const mine = registry(world.registry);
  await Promise.all(
    runs.map(async ({ runId, workflow, input, snapshotEvery }) => {
      for (let visit = 0; visit < 8; visit++) {
        const result = await runWorkflow(workflow, input, {
          ...{ ...options, store, registry: mine, runId, snapshotEvery, unchecked: true },
        });
        if (result.status !== 'WAITING') return;
        // Limits pass meanwhile, and messages come after them.
        await options.clock.sleep(simulation.random.integer(0, 3) === 0 ? 200_000 : 20_000);
      }
    }),
  );
}

/** What people send to runs, now and then; what is refused was of no use. */
async function sendMessages(trial: Trial, { store, options, registry }: SimulatedProcess) {
  const { simulation, runs } = trial;
  const { random } = simulation;
  const by = 'people';
  const count = random.integer(0, 8);
  for (let k = 0; k < count; k++) {
    await options.clock.sleep(random.next() * 40_000);
    const { runId } = runs[random.integer(0, runs.length - 1)];
    const which = random.integer(0, 1);
    const kind = random.integer(0, 19);
    try {
      if (kind < 8) approve(store, runId, `go${which}`, by, options.clock);
      else if (kind < 16)
        await signalRun(store, runId, { name: `news${which}`, data: k, by }, options.clock);
      else if (kind === 16) deny(store, runId, `go${which}`, by, 'no', options.clock);
      else if (kind === 17) cancelRun(store, runId, { by, reason: 'enough' }, options.clock);
      else if (kind >= 18) await compensate(trial, runId, { store, options, registry });
    } catch (error) {
      refuseUnknown(trial, error);
    }
  }
}

/** Undoes a run, a node of it, or what came after a node. */
async function compensate(
  { simulation, world }: Trial,
  runId: string,
  { store, options, registry }: Omit<SimulatedProcess, 'kill'>,
) {
  const which = [{}, { nodeId: 'n0' }, { backTo: 'n0' }][simulation.random.integer(0, 2)];
  const mine = registry(world.registry);
  await compensateRun(store, runId, 'people', { ...options, registry: mine, ...which });
}

const EXPECTED = [
  ...['no_run', 'committed', 'no_effect', 'no_node'],
  ...['killed', 'disk', 'not_owner', 'run_owned'],
];

function refuseUnknown({ problems }: Trial, error: unknown) {
  const { name, code = '', stack } = error as Error & { code?: string };
  if (name !== 'InputError' && !EXPECTED.includes(code)) {
    problems.push(`a message was refused with ${stack ?? error}`);
  }
}

/** Answers whatever runs still wait for, and closes what is in doubt as the world knows it. */
async function bringToEnd(trial: Trial, { store, options, registry }: SimulatedProcess) {
  const { runs, world, ends, problems } = trial;
  const last = { ...options, registry: registry(world.registry) };
  for (const { runId } of runs) {
    if (!store.runs().includes(runId)) continue;
    for (let resumptions = 0; ; resumptions++) {
      const result = await resumeRun(store, runId, last);
      ends.set(runId, result);
      if (result.status === 'WAITING') {
        cancelRun(store, runId, { by: 'the end', reason: 'nobody answers' }, options.clock);
      } else if (result.inDoubt.length > 0) {
        checkWorld(trial, runId, result);
        for (const { nodeId, idempotencyKey } of result.inDoubt) {
          const happened = (world.effects.get(idempotencyKey)?.standing ?? 0) > 0;
          settleEffect(store, runId, nodeId, { happened, by: 'the end' }, options.clock);
        }
      } else break;
      if (resumptions < 20) continue;
      problems.push(`${runId} does not come to an end: ${result.status}`);
      break;
    }
  }
}

/** Whether handlers have answered since the last look: answers open runs again. */
function isOpen({ store }: Trial) {
  const messages = [...store.lastMessages()];
  return messages.some(([runId, last]) => last > (store.leaseOf(runId)?.taken ?? 0));
}

/** Notes who wrote what: a stale owner writes nothing. */
function recording(store: AuditableLog, problems: string[]): AuditableLog {
  const tokens = new Map<string, number>();
  const note = (entries: readonly NewEntry[], token: number | undefined) => {
    const { runId } = entries[0] ?? {};
    const last = tokens.get(runId) ?? 0;
    if (token === undefined) problems.push(`${runId}: an entry was written without a lease`);
    else if (token < last) problems.push(`${runId}: owner ${token} wrote after ${last}`);
    else tokens.set(runId, token);
  };
  return {
    ...store,
    append: (entries: readonly NewEntry[], options: Parameters<LogStore['append']>[1]) => {
      const written = store.append(entries, options);
      if (written.length > 0) note(entries, options?.token);
      return written;
    },
  };
}

async function check(trial: Trial) {
  const { problems, store, runs, ends, world } = trial;
  const report = verifyLog(store);
  if (!report.valid) {
    const found = [...report.faults, ...report.runs.flatMap(({ problems: all }) => all)];
    problems.push(`the log is not valid: ${JSON.stringify(found.slice(0, 3))}`);
  }
  for (const { runId } of runs) {
    const result = ends.get(runId);
    if (result === undefined) continue;
    checkWorld(trial, runId, result);
    checkEnds(trial, runId, result);
    checkLimits(trial, runId);
    const replay = await replayRun(store, runId, { registry: world.registry });
    // A clock that jumps is no clock to measure by.
    if (!replay.parity && replay.divergence?.cause !== 'clock') {
      problems.push(`${runId}: no parity: ${JSON.stringify(replay.divergence)}`);
    }
  }
  const results = [...ends.values()];
  for (const [key, { asked, nodeId, standing, runs: by }] of world.effects) {
    const isThere = results.some((result) => listedBy(result).has(key));
    if (standing > 0 && !isThere) problems.push(`${key} stands, and no run lists it`);
    if (isAtMostOnce(trial, [...by][0], nodeId) && asked > 1) {
      problems.push(`${key} was sent ${asked} times`);
    }
  }
}

function isAtMostOnce({ runs }: Trial, runId: string, path: string) {
  const names = path.replace(/\[\d+\]/g, '').split('/');
  let nodes: readonly Node[] = runs.find((run) => run.runId === runId)?.workflow.nodes ?? [];
  for (let k = 0; ; k++) {
    const node = nodes.find(({ id }) => id === names[k]);
    if (node?.type === 'parallel') nodes = node.branches[names[++k]].nodes;
    else if (node?.type === 'map') nodes = node.body.nodes;
    else return ['once', 'onceUndone'].includes(node?.policyRef ?? '');
  }
}

/** The keys of the effects that are there, or may be, as a result says. */
function listedBy({ committed, remaining, inDoubt }: RunResult) {
  const all = [...committed, ...remaining, ...inDoubt];
  return new Set(all.map(({ idempotencyKey }) => idempotencyKey));
}

/** What stands in the world is what the result lists, each effect once. */
function checkWorld({ world, problems }: Trial, runId: string, result: RunResult) {
  const { status, committed, remaining, inDoubt } = result;
  const keysOf = (list: readonly EffectSummary[]) =>
    list.map(({ idempotencyKey }) => idempotencyKey);
  const listed = listedBy(result);
  const standing = (key: string) => world.effects.get(key)?.standing ?? 0;
  const say = (text: string) => problems.push(`${runId} is ${status}: ${text}`);
  for (const [key, { runs }] of world.effects) {
    const own = runs.has(runId) && runs.size === 1;
    // A run in doubt commits nothing yet.
    if (own && standing(key) > 0 && !listed.has(key) && status !== 'IN_DOUBT') {
      say(`${key} stands and is not listed`);
    }
  }
  for (const key of keysOf(committed)) {
    if (standing(key) !== 1) say(`${key} is committed and stands ${standing(key)} times`);
  }
  for (const { idempotencyKey: key, reason } of remaining) {
    // Others are unknown: their handlers or compensators failed.
    if (reason === 'irreversible' && standing(key) !== 1) {
      say(`${key} remains (${reason}) and stands ${standing(key)} times`);
    }
  }
  if (['COMPLETED', 'COMPENSATED', 'FAILED', 'CANCELLED'].includes(status)) {
    if (inDoubt.length > 0) say(`${inDoubt[0].idempotencyKey} is in doubt`);
  } else if (status !== 'COMPENSATION_FAILED' && status !== 'IN_DOUBT') say('no end');
  if (status === 'COMPENSATION_FAILED' && remaining.length === 0 && inDoubt.length === 0) {
    say('nothing remains');
  }
}

/** What entries say of waits, messages and deadlines. */
interface LimitPayload {
  until: number;
  name: string;
  message: string;
  sent: string;
  taken: string;
}

/** No message counts that came after the limit of its wait, and no step begins after a deadline. */
function checkLimits({ store, problems }: Trial, runId: string) {
  const waits = new Map<string, { until: number | undefined; name: string | undefined }>();
  const arrivals = new Map<string | undefined, number>();
  const deadlines = new Map<string, number | undefined>();
  let stopped = false;
  for (const { eventType, nodeId, version, ts, payload } of store.read({ runId })) {
    const { until, name, message, sent = ts, taken } = payload as Partial<LimitPayload>;
    if (eventType === 'AwaitMessage' || eventType === 'AwaitApproval') {
      waits.set(nodeId, { until, name });
    }
    if (eventType === 'Signal') arrivals.set(message, Date.parse(sent));
    if (eventType === 'Approve' && !arrivals.has(name)) arrivals.set(name, Date.parse(sent));
    if (eventType === 'Register')
      deadlines.set(nodeId, (payload as unknown as Payloads['Register']).deadline);
    if (['Compensated', 'Return', 'Compensate', 'Settle'].includes(eventType)) {
      for (const path of eventType === 'Return'
        ? (payload as unknown as Payloads['Return']).nodes
        : [nodeId]) {
        deadlines.delete(path);
        if (eventType === 'Return') waits.delete(path);
      }
    }
    if (
      eventType === 'Cancel' ||
      (eventType === 'Trigger' && (payload as unknown as Payloads['Trigger']).kind !== 'failure')
    ) {
      stopped = true;
    }
    if (eventType === 'Return') stopped = false;
    const wait = waits.get(nodeId);
    const by = eventType === 'EndNode' ? taken : eventType === 'StartNode' ? wait?.name : undefined;
    if (wait?.until !== undefined && by !== undefined && (arrivals.get(by) ?? 0) > wait.until) {
      problems.push(`${runId}: ${version} ${nodeId} took a message that came after its limit`);
    }
    if (eventType !== 'StartNode' || stopped) continue;
    for (const [path, deadline] of deadlines) {
      if (path === nodeId || deadline === undefined || deadline > Date.parse(ts)) continue;
      problems.push(`${runId}: ${version} ${nodeId} began after the deadline of ${path}`);
    }
  }
}

/** After an end there is nothing but what opens a run again. */
function checkEnds({ store, problems }: Trial, runId: string, { status }: RunResult) {
  let ended = false;
  let last: string | undefined;
  for (const { eventType, version, payload } of store.read({ runId })) {
    if (
      ended &&
      !['Answer', 'Settle', 'Trigger', 'Resume', 'Signal', 'Approve', 'Deny'].includes(eventType)
    ) {
      problems.push(`${runId}: ${eventType} ${version} after the end`);
      return;
    }
    ended = eventType === 'EndRun';
    if (ended) last = (payload as unknown as Payloads['EndRun']).status;
    else if (last !== undefined) ended = false;
  }
  if (last !== status) problems.push(`${runId} says ${status}, and its log ${last}`);
}
