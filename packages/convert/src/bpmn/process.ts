import type { Workflow } from '@alas-jssp/workflow';
import { planWorkflow } from '@alas-jssp/workflow/ir';
import type { HandlerMap } from '../mapping.js';
import { addBody } from './bodies.js';
import { addFlow, addShape, type DiagramScope, newDiagram, type Script } from './diagram.js';
import { EFFECTS, type EffectStep, effectSteps, hasCompensator, type Station } from './effects.js';
import { guardText, idPart, literal, nodeVariable, outputText } from './expressions.js';
import { bodyData, ROOT, type Writing } from './place.js';
import { addUndo } from './undoing.js';

const start = (result: string, text: string): Script => ({ on: 'start', result, text });

/**
 * The process of a workflow: its nodes in a sub-process of their own, so that Flowable computes
 * correctly which flows may still lead to a gateway, and so that an external message can end it;
 * the undoing of their effects; and its ends.
 */
export function processOf(workflow: Workflow, map: HandlerMap): DiagramScope {
  const plan = planWorkflow(workflow);
  const effects = effectSteps(plan, plan.root, idOfStations);
  const writing: Writing = {
    plan,
    map,
    effects,
    addBody: (...where) => addBody(writing, ...where),
  };
  const own = ['result', EFFECTS, 'undone', 'undoFailed', 'startedAt', 'cancelled'];
  const scope = newDiagram('at', ROOT.failure, ...own, ...ENDS);
  addShape(scope, {
    id: '_start',
    type: 'bpmn:StartEvent',
    scripts: [start('at', '""'), start(EFFECTS, '[]'), start('startedAt', '$millis()')],
  });
  addNodes(writing, scope, workflow);
  addFlow(scope, '_start', '_nodes');
  addFlow(scope, '_nodes', '_over');
  addFlow(scope, '_cancel', '_over', {
    scripts: [
      { on: 'take', result: 'cancelled', text: 'true' },
      { on: 'take', result: ROOT.failure, text: CANCELLED },
    ],
  });
  addShape(scope, { id: '_over', type: 'bpmn:ExclusiveGateway', name: 'failed?' });
  addFlow(scope, '_over', '_completed', { name: 'no', otherwise: true });
  addShape(scope, {
    id: '_completed',
    type: 'bpmn:EndEvent',
    name: 'completed',
    scripts: [start('alasStatus', '"COMPLETED"'), start('alasOutput', '$string($result.output)')],
  });
  const when = `$boolean($${ROOT.failure})`;
  if (effects.length > 0) {
    addUndo(writing, scope, '_undo', effects, `$${ROOT.failure}.compensates`);
    addFlow(scope, '_over', '_undo', { name: 'yes', when });
    addFlow(scope, '_undo', '_failed');
  } else {
    addFlow(scope, '_over', '_failed', { name: 'yes', when });
  }
  addShape(scope, {
    id: '_failed',
    type: 'bpmn:EndEvent',
    name: 'failed',
    scripts: failedScripts(effects),
  });
  return scope;
}

const CANCELLED =
  '{"code": "Cancelled", "message": "the run was cancelled", "nodeId": "", "compensates": true}';

/** Adds the nodes of the workflow, and the message that cancels them. */
function addNodes(writing: Writing, scope: DiagramScope, workflow: Workflow): void {
  const { root } = writing.plan;
  const own = ['input', 'at', ROOT.failure];
  const names = bodyData(root, ROOT).filter((name) => !own.includes(name));
  const inside = newDiagram(...names);
  addShape(scope, { id: '_nodes', type: 'bpmn:SubProcess', name: workflow.name, inside });
  const first = addShape(inside, { id: '_first', type: 'bpmn:StartEvent' });
  const last = '_last';
  addBody(writing, inside, root, ROOT, { first, last });
  addShape(inside, {
    id: last,
    type: 'bpmn:EndEvent',
    scripts: [
      start(ROOT.failure, invariantText(workflow, outputText(root))),
      start('result', `{"output": ${outputText(root)}}`),
    ],
  });
  addShape(scope, {
    id: '_cancel',
    type: 'bpmn:BoundaryEvent',
    name: 'cancelled',
    on: '_nodes',
    trigger: { type: 'message' },
  });
}

const ENDS = ['alasStatus', 'alasOutput', 'alasError', 'alasRemaining', 'alasInDoubt'];

/** The invariants of a workflow are checked at its end. */
function invariantText({ invariants, nodes }: Workflow, output: string): string {
  const failure = `$${ROOT.failure}`;
  const outputs = nodes.map(({ id }) => {
    const variable = nodeVariable(id);
    return `$${variable}.status = "done" ? {${literal(id)}: $${variable}.output} : {}`;
  });
  const all = `$merge([${outputs.join(', ')}])`;
  const asked = invariants.map(({ name, holds }) => {
    const guard = guardText(holds, { outputs: all, output });
    const error = `{"code": "Invariant", "message": ${literal(`the invariant ${name} does not hold`)}, "nodeId": "", "compensates": true}`;
    return `$boolean(${guard}) = false ? ${error} : `;
  });
  return `$boolean(${failure}) ? ${failure} : (${asked.join('')}null)`;
}

/** Whether an existing effect is an error, rather than declared by its policy for this failure. */
function isLeftText(effects: readonly EffectStep[]): string {
  const ids = (holds: (step: EffectStep) => boolean) =>
    literal(effects.filter(holds).map(({ id }) => id));
  const isDeclared = (trigger: 'onFailure' | 'onCancel') =>
    ids((one) => hasCompensator(one, trigger));
  const never = ids(({ plan: { node, policy } }) => {
    return (node.type === 'task' && node.effect === 'irreversible') || !policy.compensation;
  });
  const declared = `($cancelled = true ? ${isDeclared('onCancel')} : ${isDeclared('onFailure')})`;
  return `(status != "held" or step in ${never} or ($${ROOT.failure}.compensates and step in ${declared}))`;
}

function failedScripts(effects: readonly EffectStep[]): Script[] {
  const error = `$${ROOT.failure}`;
  const stands = `[$${EFFECTS}[status in ["held", "failed"] or $exists(left)]]`;
  const left = `$count([${stands.slice(1, -1)}[${isLeftText(effects)}]]) > 0`;
  const doubt = `[$${EFFECTS}[status = "doubt"]]`;
  const undone = `$count([$${EFFECTS}[status = "undone"]]) > 0`;
  return [
    start('alasError', `$string($sift(${error}, function($v, $k) { $k != "compensates" }))`),
    start('alasRemaining', `$string($append([], ${stands}.path))`),
    start('alasInDoubt', `$string($append([], ${doubt}.path))`),
    start(
      'alasStatus',
      `${left} ? "COMPENSATION_FAILED" : $count(${doubt}) > 0 ? "IN_DOUBT" : ${undone} ? "COMPENSATED" : $cancelled = true ? "CANCELLED" : "FAILED"`,
    ),
  ];
}

/** The id of the step at the end of a path: as `idOf` makes it, body by body. */
function idOfStations(stations: readonly Station[]): string {
  return stations
    .map(({ node: { node }, branch }, k) => {
      const id = idPart(node.id);
      if (k === stations.length - 1) return id;
      if (branch !== undefined) return `${id}._${idPart(branch)}`;
      return `${id}.${node.type === 'map' && node.items === undefined ? 'turn' : 'item'}`;
    })
    .join('.');
}
