import type { ChoiceNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import type { ArgoCall, Template } from '../document.js';
import { exprText, safeJson, tag } from '../expressions.js';
import { IDLE } from './body.js';
import { guardExpression } from './guard-expression.js';
import { FAIL, handOn } from './steps.js';

/** The input of a template with bodies inside. */
export const INPUT = 'fromJSON(inputs.parameters.input)';

/** A step that fails where a condition holds. */
export function failing(name: string, when: string, code: string, nodeId: string): ArgoCall {
  const error = JSON.stringify({ code, message: '', nodeId });
  return {
    name,
    template: FAIL,
    when: tag(when),
    arguments: { parameters: [{ name: 'error', value: error }] },
  };
}

/**
 * A choice: its branch is the index of the taken edge. Guards that Argo can express are
 * expressions, others are evaluated by a step of their own.
 */
export function choiceTemplates(
  name: string,
  { node, out }: NodePlan & { node: ChoiceNode },
  guards: string,
): Template[] {
  const branches = out.filter(({ kind }) => kind === 'branch');
  const otherwise = out.find(({ kind }) => kind === 'default');
  const said = branches.map(({ guard = 'false' }) => guardExpression(guard, { input: INPUT }));
  const last = otherwise === undefined ? '' : `${otherwise.edge}`;
  const none = branches.length > 0 && otherwise === undefined;
  const common = {
    name,
    inputs: { parameters: [{ name: 'input' }] },
  };
  const output = handOn('output', '{{inputs.parameters.input}}');
  if (said.every((guard) => guard !== undefined)) {
    const branch = said.reduceRight((rest, guard, k) => {
      return `(${guard}) ? ${exprText(`${branches[k].edge}`)} : ${rest}`;
    }, exprText(last));
    const step: ArgoCall = none
      ? failing('stuck', `(${branch}) == ""`, 'NoBranch', node.id)
      : { name: 'go', template: IDLE };
    const parameters = [output, { name: 'branch', valueFrom: { expression: branch } }];
    return [{ ...common, steps: [[step]], outputs: { parameters } }];
  }
  const list = branches.map(({ guard, edge }) => ({ edge: `${edge}`, guard }));
  const decide: ArgoCall = {
    name: 'decide',
    template: guards,
    arguments: {
      parameters: [
        { name: 'input', value: '{{inputs.parameters.input}}' },
        { name: 'guards', value: safeJson(list) },
        { name: 'otherwise', value: last },
      ],
    },
  };
  const result = 'steps["decide"]?.outputs?.result';
  const stuck = failing('stuck', `${result} == ""`, 'NoBranch', node.id);
  const parameters = [output, handOn('branch', '{{steps.decide.outputs.result}}')];
  const steps = none ? [[decide], [stuck]] : [[decide]];
  return [{ ...common, steps, outputs: { parameters } }];
}

/**
 * A step that evaluates guards that Argo cannot express: the edge of the first that holds, or the
 * default.
 */
export function guardsTemplate(name: string): Template {
  const source = [
    'cd /tmp && npm install --silent --no-save jsonata@2 >&2',
    `exec node -e '${GUARD_PROGRAM}'`,
  ].join('\n');
  const env = ['input', 'guards', 'otherwise'].map((parameter) => {
    return { name: parameter.toUpperCase(), value: `{{inputs.parameters.${parameter}}}` };
  });
  return {
    name,
    inputs: { parameters: [{ name: 'input' }, { name: 'guards' }, { name: 'otherwise' }] },
    script: { image: 'node:22-alpine', command: ['sh', '-e'], source, env },
  };
}

const GUARD_PROGRAM = [
  'const jsonata = require("/tmp/node_modules/jsonata");',
  'const { INPUT, GUARDS, OTHERWISE } = process.env;',
  '(async () => {',
  '  const variables = JSON.parse(INPUT);',
  '  for (const { edge, guard } of JSON.parse(GUARDS)) {',
  '    const given = variables.output === undefined ? { input: variables } : variables;',
  '    const holds = await jsonata(guard).evaluate(undefined, given);',
  '    if (holds !== undefined && typeof holds !== "boolean") throw new Error("no boolean: " + guard);',
  '    if (holds) return process.stdout.write(edge);',
  '  }',
  '  process.stdout.write(OTHERWISE);',
  '})();',
].join('\n');
