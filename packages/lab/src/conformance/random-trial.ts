// One random workflow under a random script, on several engines.

import { isDeepStrictEqual } from 'node:util';
import type { Body, Node, Policy, Workflow } from '@alas-jssp/workflow';
import type { Column, Engine, Stub } from './engine.js';
import { findDepartures } from './expectation.js';
import { type FaultScript, placeOf, rowFor } from './fault-script.js';
import { type Ended, errorName, judgeKeys } from './judge.js';
import { foresee } from './model.js';
import { policyOf } from './model-values.js';
import { randomScript } from './random-scripts.js';
import { RANDOM_INPUT, randomWorkflow } from './random-workflows.js';
import type { TraceRow } from './stub.js';
import { play } from './trial.js';

/** Of ten workflows one has timers: engines wait in whole seconds, and poll. */
export const hasTimers = (seed: number) => seed % 10 === 9;

/** The workflow and the script of a seed, and what must come of them. */
export async function trialOf(seed: number) {
  const timers = hasTimers(seed);
  const workflow = randomWorkflow(seed, { timers });
  const script = randomScript(workflow, seed, { timers });
  return { workflow, script, foreseen: await foresee(workflow, RANDOM_INPUT, script) };
}

/** Runs a trial on an engine. */
export async function runTrial(
  column: Column,
  engine: Engine,
  stub: Stub,
  seed: number,
  { workflow, script, foreseen }: Awaited<ReturnType<typeof trialOf>>,
) {
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
 * @param options as those of findDepartures
 */
function judge(
  foreseen: Awaited<ReturnType<typeof foresee>>,
  ended: Ended,
  rows: TraceRow[],
  options: { wire?: boolean },
) {
  const problems = [...findDepartures(foreseen.trace, rows, options), ...judgeKeys([], rows)];
  const code = ended.error ? errorName(ended.error.code) : undefined;
  if (!foreseen.statuses.includes(ended.status)) {
    problems.push(`the status is ${ended.status}, not ${foreseen.statuses.join(' or ')}`);
  }
  const errors: readonly (string | undefined)[] = foreseen.errors;
  if (!errors.includes(code)) {
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

const isShortened = (input: unknown) =>
  (input as { sha256?: string } | undefined)?.sha256 !== undefined;

/** A value without the messages of errors, whose words are not promised. */
function wordless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordless);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'message');
  return Object.fromEntries(entries.map(([key, one]) => [key, wordless(one)]));
}

/** An answer after the limit of its wait. */
function isLate(workflow: Workflow, script: FaultScript, { kind, path, attempt }: TraceRow) {
  const call = kind === 'waited' ? 'wait' : kind === 'ok' || kind === 'error' ? 'run' : undefined;
  if (call === undefined) return false;
  const place = placeOf(path);
  const { seconds = 0 } = rowFor(script, { kind: call, ...place, attempt }) ?? {};
  const node = findNode(workflow, place.step);
  const { timeout, wait }: Policy = node === undefined ? {} : policyOf(workflow, node);
  const limit = call === 'run' ? timeout?.seconds : wait?.seconds;
  return limit !== undefined && seconds > limit;
}

/** The node of an id in a body or those inside it. */
function findNode({ nodes }: Body, id: string): Node | undefined {
  for (const node of nodes) {
    if (node.id === id) return node;
    const inner =
      node.type === 'map'
        ? [node.body]
        : node.type === 'parallel'
          ? Object.values(node.branches)
          : [];
    const found = inner.map((body) => findNode(body, id)).find((one) => one !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
