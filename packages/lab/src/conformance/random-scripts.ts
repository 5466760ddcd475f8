// Random fault scripts for a workflow: which calls fail, hang or come late, and what the others give.

import { createRandom } from '@alas-jssp/core';
import type { Body, Policy, TaskNode, WaitNode, Workflow } from '@alas-jssp/workflow';
import type { FaultScript, Row } from './fault-script.js';
import type { Draw } from './random-workflows.js';

/**
 * A script that fits the steps, policies and guards of a workflow; the same for the same seed.
 *
 * @param shape `timers`: calls also hang or come late
 */
export function randomScript(
  workflow: Workflow,
  seed: number,
  { timers = false }: { timers?: boolean } = {},
): FaultScript {
  const random = createRandom(`script/${seed}`);
  return drawScript(workflow, (below: number) => random.integer(0, below - 1), timers);
}

/** A step that is called, with the number of turns of each loop around it. */
interface DrawnStep {
  node: TaskNode | WaitNode;
  policy: Policy;
  turns: readonly number[];
}

/** A script drawn from a source of chance, of which zeros give a script without faults. */
function drawScript(workflow: Workflow, draw: Draw, timers: boolean) {
  const rows: Map<string, Row> = new Map();
  const put = (row: Row) => rows.set([row.kind, row.step, row.item, row.attempt].join(' '), row);
  const steps = stepsOf(workflow, workflow, []);
  for (const step of steps) if (draw(2) === 1) put(answerOf(step, draw));
  if (steps.length > 0) {
    for (let k = draw(3); k > 0; k--) {
      for (const row of faultsOf(steps[draw(steps.length)], draw, timers)) put(row);
    }
  }
  const undone = steps.filter(({ policy }) => policy.compensation !== undefined);
  if (undone.length > 0 && draw(4) === 3) {
    for (const row of undoFaultsOf(undone[draw(undone.length)], draw)) put(row);
  }
  return { rows: [...rows.values()] };
}

/** All steps that are called, with the number of turns of each loop around them. */
function stepsOf(workflow: Workflow, body: Body, turns: readonly number[]): DrawnStep[] {
  return body.nodes.flatMap((node) => {
    const policy = workflow.policies[node.policyRef ?? workflow.defaultPolicy ?? ''] ?? {};
    if (node.type === 'task') return [{ node, policy, turns }];
    if (node.type === 'wait') return [{ node, policy, turns }];
    if (node.type === 'parallel') {
      return Object.values(node.branches).flatMap((branch) => stepsOf(workflow, branch, turns));
    }
    if (node.type !== 'map') return [];
    return stepsOf(workflow, node.body, [...turns, node.items === undefined ? 2 : 3]);
  });
}

/** What a step gives, so that guards and references find something. */
function answerOf({ node, turns }: DrawnStep, draw: Draw): Row {
  const item = itemOf(turns, draw);
  const output = {
    ...{ step: node.id, item, attempt: 1 },
    ...{ n: draw(4), flag: draw(2) === 0, done: draw(2) === 0 },
  };
  const kind = node.type === 'wait' ? 'wait' : 'run';
  return { kind, step: node.id, item, attempt: 1, does: 'ok', output };
}

/** A fault of one step: once, or as often as it is tried. */
function faultsOf({ node, policy, turns }: DrawnStep, draw: Draw, timers: boolean): Row[] {
  const item = itemOf(turns, draw);
  const step = { step: node.id, item };
  if (node.type === 'wait')
    return timers ? [{ kind: 'wait', ...step, attempt: 1, does: 'hang' }] : [];
  const named = [
    ...(policy.retry?.retryOn ?? []),
    ...(policy.catch ?? []).flatMap(({ errors }) => errors),
  ].filter((code) => code !== '*' && code !== 'Timeout' && code !== 'Crash');
  const codes = ['Broken', 'Busy', ...named];
  const most = policy.retry?.maxAttempts ?? 1;
  const attempts = draw(2) === 1 ? most : 1;
  const does = doingOf(policy, codes, draw, timers);
  return Array.from({ length: attempts }, (_, k) => {
    return { kind: 'run' as const, ...step, attempt: k + 1, ...does };
  });
}

function doingOf(
  policy: Policy,
  codes: readonly string[],
  draw: Draw,
  timers: boolean,
): Omit<Row, 'step'> {
  const kind = draw(8);
  const { seconds = 30 } = policy.timeout ?? {};
  if (timers && seconds <= 3 && kind >= 5) {
    return draw(2) === 0 ? { does: 'hang' } : { does: 'delay', seconds: seconds + 1 };
  }
  if (timers && kind === 5) return { does: 'delay', seconds: 1 };
  if (kind === 7) return { does: 'crash' };
  return { does: 'error', error: codes[draw(codes.length)] };
}

function undoFaultsOf({ node, policy, turns }: DrawnStep, draw: Draw): Row[] {
  const most = (policy.compensation?.retry?.maxAttempts ?? 1) + draw(2);
  const step = { kind: 'undo' as const, step: node.id, item: itemOf(turns, draw) };
  return Array.from({ length: Math.max(1, most - 1) }, (_, k) => {
    return { ...step, attempt: k + 1, does: 'error', error: draw(2) === 0 ? 'Stuck' : 'Busy' };
  });
}

/** The place of a step in the loops around it. */
function itemOf(turns: readonly number[], draw: Draw) {
  return turns.map((most) => draw(most)).join('.');
}
