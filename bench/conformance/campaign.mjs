// @ts-check
// One random workflow under a random script, on several engines.
import { isDeepStrictEqual } from 'node:util';
import { findDepartures } from './expectation.mjs';
import { placeOf, rowFor } from './fault-script.mjs';
import { errorName, judgeKeys } from './judge.mjs';
import { foresee } from './model.mjs';
import { policyOf } from './model-values.mjs';
import { randomScript } from './random-scripts.mjs';
import { RANDOM_INPUT, randomWorkflow } from './random-workflows.mjs';
import { play } from './trial.mjs';

/** Of ten workflows one has timers: engines wait in whole seconds, and poll. */
export const hasTimers = (/** @type {number} */ seed) => seed % 10 === 9;

/** The workflow and the script of a seed, and what must come of them. @param {number} seed */
export async function trialOf(seed) {
  const timers = hasTimers(seed);
  const workflow = randomWorkflow(seed, { timers });
  const script = randomScript(workflow, seed, { timers });
  return { workflow, script, foreseen: await foresee(workflow, RANDOM_INPUT, script) };
}

/**
 * Runs a trial on an engine.
 *
 * @param {any} column
 * @param {any} engine
 * @param {Parameters<typeof play>[1]} stub
 * @param {number} seed
 * @param {Awaited<ReturnType<typeof trialOf>>} trial
 */
export async function runTrial(column, engine, stub, seed, { workflow, script, foreseen }) {
  const runId = `${column.name}-${seed}`;
  try {
    const { text } = await column.write(workflow);
    const run = { runId, text, input: RANDOM_INPUT, script: script.rows };
    const { ended, rows } = await play(engine, stub, run);
    const inTime = rows.filter((row) => !isLate(workflow, script, row));
    // Our runtime stops steps beside one that failed; others let them go on.
    const wire = column.name === 'embedded';
    return { problems: judge(foreseen, ended, inTime, { wire }), ended, rows: inTime };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problems: [`it gave up: ${message}`], ended: undefined, rows: stub.rows(runId) };
  }
}

/**
 * How a run departs from what the model foresees.
 *
 * @param {Awaited<ReturnType<typeof foresee>>} foreseen
 * @param {import('./judge.mjs').Ended} ended
 * @param {import('./stub.mjs').TraceRow[]} rows
 * @param {{ wire?: boolean }} [options] as those of findDepartures
 */
function judge(foreseen, ended, rows, options) {
  const problems = [...findDepartures(foreseen.trace, rows, options), ...judgeKeys([], rows)];
  const code = ended.error ? errorName(ended.error.code) : undefined;
  if (!foreseen.statuses.includes(ended.status)) {
    problems.push(`the status is ${ended.status}, not ${foreseen.statuses.join(' or ')}`);
  }
  if (!(/** @type {(string | undefined)[]} */ (foreseen.errors).includes(code))) {
    problems.push(`the error is ${code}, not ${foreseen.errors.join(' or ')}`);
  }
  const isSame = isDeepStrictEqual(wordless(ended.output ?? null), wordless(foreseen.output));
  if (ended.status === 'COMPLETED' && !isSame) {
    const [is, due] = [ended.output, foreseen.output].map((one) => JSON.stringify(one));
    problems.push(`the output is ${is}, not ${due}`);
  }
  for (const { kind, path, input } of rows) {
    if (kind !== 'start' || !Object.hasOwn(foreseen.inputs, path) || isShortened(input)) continue;
    if (isDeepStrictEqual(wordless(input), wordless(foreseen.inputs[path]))) continue;
    const [is, due] = [input, foreseen.inputs[path]].map((one) => JSON.stringify(one));
    problems.push(`${path} is given ${is}, not ${due}`);
  }
  return problems;
}

const isShortened = (/** @type {any} */ input) => input?.sha256 !== undefined;

/** A value without the messages of errors, whose words nobody promises. @param {any} value @returns {any} */
function wordless(value) {
  if (Array.isArray(value)) return value.map(wordless);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'message');
  return Object.fromEntries(entries.map(([key, one]) => [key, wordless(one)]));
}

/** An answer that nobody waited for any longer. @param {any} workflow @param {any} script @param {import('./stub.mjs').TraceRow} row */
function isLate(workflow, script, { kind, path, attempt }) {
  const call = kind === 'waited' ? 'wait' : kind === 'ok' || kind === 'error' ? 'run' : undefined;
  if (call === undefined) return false;
  const place = placeOf(path);
  const { seconds = 0 } = rowFor(script, { kind: call, ...place, attempt }) ?? {};
  const { timeout, wait } = policyOf(workflow, findNode(workflow, place.step));
  const limit = call === 'run' ? timeout?.seconds : wait?.seconds;
  return limit !== undefined && seconds > limit;
}

/** @param {any} body @param {string} id @returns {any} */
function findNode({ nodes }, id) {
  for (const node of nodes) {
    if (node.id === id) return node;
    const inner = node.type === 'map' ? [node.body] : Object.values(node.branches ?? {});
    const found = inner.map((/** @type {any} */ body) => findNode(body, id)).find(Boolean);
    if (found !== undefined) return found;
  }
  return undefined;
}
