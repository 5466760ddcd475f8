// One kill trial: random workflows and what people say to them, from one seed; and then the outside must
// agree with what the ends of the runs say.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@alas-jssp/core/random';
import { randomWorkflow } from '@alas-jssp/lab/simulation/workflows';
import { toWorkflow } from '@alas-jssp/workflow';
import { judgeEnds, judgeRun } from './kill-judge.mjs';
import { lineOf } from './talk.mjs';

/** Seconds after which runs are cancelled that have not ended: by then nobody answers, and every limit has passed. */
const PATIENCE = 120;
/** Seconds after which a run that has not ended counts as lost. */
const LIMIT = 360;
/** Seconds over which people send messages. */
const TALKING = 15;
/** By how much steps that take their time are faster than in the simulation. */
const HASTE = 0.3;

/** The limits of policies in seconds: those of the simulation cost nothing there, and too much here. */
const LIMITS = {
  '*': { timeout: 3, lateAnswer: 2 },
  patient: { timeout: 3, lateAnswer: 8 },
  hasty: { timeout: 0.5, lateAnswer: 0 },
  waited: { timeout: 10, wait: 10, lateAnswer: 2 },
  room: { timeout: 10, wait: 30, lateAnswer: 2 },
};

/**
 * Makes a trial.
 *
 * @param {number} seed
 * @param {{ talk: ReturnType<typeof import('./talk.mjs').talkTo>, outside: Awaited<ReturnType<typeof import('./outside.mjs').startOutside>> }} place
 * @param {string} [place.keep] directory for the histories of runs of trials that fail
 * @returns what became of its runs, what went wrong, and the story that led there
 */
export async function tryOut(seed, { talk, outside, keep }) {
  const random = createRandom(`trial ${seed}`);
  const trial = { seed, talk, outside, keep, random, problems: [], story: [], ends: new Map() };
  const began = performance.now();
  trial.say = (text) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    trial.story.push(`${seconds.padStart(6)} ${text}`);
  };
  trial.runs = prepareRuns(seed, random);
  const messages = drawMessages(trial);
  const talking = new AbortController();
  const talks = messages.map((message) => send(trial, message, talking.signal));
  await Promise.all(
    trial.runs.map((run) =>
      bringToEnd(trial, run).catch((error) => {
        trial.problems.push(`${run.runId}: ${lineOf(error)}`);
      }),
    ),
  );
  talking.abort();
  await Promise.all(talks);
  judgeEnds(trial);
  await judgeReplays(trial);
  const runs = [...trial.ends].map(([runId, { result, ...counts }]) => {
    return { runId, status: result.status, ...counts };
  });
  return { seed, runs, problems: trial.problems, story: trial.story };
}

/** Temporal's own histories lead to the same commands again, whoever goes on with them. */
async function judgeReplays({ runs, talk, problems, keep }) {
  for (const { runId } of runs) {
    const { problem, json } = await talk.openRun(runId).replay();
    if (problem !== undefined) problems.push(`${runId} does not replay: ${problem}`);
    if (keep === undefined || problems.length === 0) continue;
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `${runId}.json`), json);
  }
}

/** One run or two, which want the same room. */
function prepareRuns(seed, random) {
  const room = random.integer(0, 1);
  return Array.from({ length: random.integer(1, 2) }, (_, k) => ({
    runId: `trial-${seed}-${k}`,
    workflow: inRealTime(randomWorkflow(random, `trial-${seed}`), `room-${seed}`),
    input: { list: [1, 2], room: random.integer(0, 9) === 0 ? 9 : room },
    delay: random.next() * 2000,
  }));
}

/** The workflow with limits that fit real time, and a room of its own trial. */
function inRealTime(workflow, room) {
  const document = structuredClone(workflow);
  for (const [name, policy] of Object.entries(document.policies)) {
    if (policy.timeout === undefined && policy.wait === undefined) continue;
    for (const [limit, seconds] of Object.entries(LIMITS[name] ?? LIMITS['*'])) {
      policy[limit] = { seconds };
    }
    if (policy.backoff !== undefined) policy.backoff.base = 0.2;
    if (policy.idempotencyKey?.scope === 'resource') policy.idempotencyKey.template = room;
    if (policy.compensation === undefined) continue;
    policy.compensation.timeout = { seconds: 4 };
    if (policy.compensation.deadlineSeconds !== undefined) policy.compensation.deadlineSeconds = 8;
  }
  for (const { params } of tasksOf(document)) {
    if (params?.seconds !== undefined) params.seconds *= HASTE;
  }
  return toWorkflow(document);
}

function* tasksOf({ nodes }) {
  for (const node of nodes) {
    if (node.type === 'task') yield node;
    const inner = node.type === 'map' ? [node.body] : Object.values(node.branches ?? {});
    for (const body of inner) yield* tasksOf(body);
  }
}

/** What people will say, to whom and when: by the seed alone. */
function drawMessages({ random, runs }) {
  return Array.from({ length: random.integer(0, 10) }, (_, k) => {
    const { runId } = runs[random.integer(0, runs.length - 1)];
    const which = random.integer(0, 1);
    const kind = random.integer(0, 19);
    const message = { runId, at: random.next() * TALKING * 1000, by: 'people' };
    if (kind < 8) return { ...message, kind: 'approve', name: `go${which}` };
    if (kind < 16) return { ...message, kind: 'signal', name: `news${which}`, data: k };
    if (kind < 18) return { ...message, kind: 'deny', name: `go${which}`, reason: 'no' };
    return { ...message, kind: 'cancel', reason: 'enough' };
  });
}

/** Codes of messages that were of no use: there was no such run any more, or it does not wait for that. */
const USELESS = ['no_run', 'run_ended', 'no_approval', 'no_signal', 'bad_data', 'no_doubt'];

async function send(trial, { at, ...message }, signal) {
  try {
    await sleep(at, undefined, { signal });
  } catch {
    return;
  }
  await deliver(trial, message);
}

async function deliver({ talk, problems, say }, { runId, kind, ...data }) {
  try {
    await talk.openRun(runId)[kind](data);
    say(`${runId}: ${kind} ${data.name ?? ''} sent`);
  } catch (error) {
    say(`${runId}: ${kind} ${data.name ?? ''} refused: ${error.code ?? error.message}`);
    if (!USELESS.includes(error.code)) problems.push(`${runId}: ${kind}: ${lineOf(error)}`);
  }
}

/** Runs a workflow to its end; closes what is in doubt as the outside knows it. */
async function bringToEnd(trial, { runId, workflow, input, delay }) {
  const { talk, outside, say, ends } = trial;
  await sleep(delay);
  say(`${runId} starts`);
  const start = { runId, workflow, input };
  let answer = talk.startRun(start);
  let isCut = false;
  const impatient = setTimeout(() => {
    isCut = true;
    void deliver(trial, { runId, kind: 'cancel', by: 'the end', reason: 'nobody answers' });
  }, PATIENCE * 1000);
  let doubts = 0;
  for (let restarts = 0; ; restarts++) {
    const result = await within(answer, `${runId} has not ended after ${LIMIT} s`);
    clearTimeout(impatient);
    const run = talk.openRun(runId);
    const lost = await judgeRun(trial, runId, result, run);
    doubts += result.inDoubt.length;
    ends.set(runId, { result, lost, doubts, cut: isCut });
    say(`${runId} is ${result.status}`);
    if (result.inDoubt.length === 0 || restarts === 5) return;
    for (const { nodeId, idempotencyKey } of result.inDoubt) {
      const happened = (outside.effects.get(idempotencyKey)?.standing ?? 0) > 0;
      await deliver(trial, { runId, kind: 'settle', nodeId, happened, by: 'the end' });
    }
    // Who starts it again joins it.
    answer = talk.startRun(start);
  }
}

async function within(promise, complaint) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(complaint)), LIMIT * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
