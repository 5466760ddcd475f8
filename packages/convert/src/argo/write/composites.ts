import type { MapNode, ParallelNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import type { ArgoCall, Template } from '../document.js';
import { exprText, safeJson, tag } from '../expressions.js';
import { createArgoNames } from '../names.js';
import { IDLE } from './body.js';
import { failing, INPUT } from './choices.js';
import { guardExpression } from './guard-expression.js';
import { handOn } from './steps.js';

/** The parameters of a template with bodies inside: their input, and their path. */
const INPUTS = { parameters: [{ name: 'input' }, { name: 'path' }] };

/** Parallel branches: a task for each. */
export function parallelTemplate(
  name: string,
  node: ParallelNode,
  bodies: ReadonlyMap<string, string>,
): Template {
  const names = createArgoNames();
  const tasks = [...bodies].map(([branch, template]) => {
    const prefix = tag(`inputs.parameters.path + ${exprText(`/${encodeURIComponent(branch)}/`)}`);
    return {
      branch,
      call: {
        name: names.reserve(branch),
        template,
        arguments: {
          parameters: [
            { name: 'input', value: '{{inputs.parameters.input}}' },
            { name: 'prefix', value: prefix },
          ],
        },
      },
    };
  });
  const outputs = tasks.map(({ branch, call }) => {
    const output = `tasks[${exprText(call.name)}]?.outputs?.parameters?.output ?? "null"`;
    return `${exprText(branch)}: fromJSON(${output})`;
  });
  return {
    name,
    inputs: INPUTS,
    ...(node.maxConcurrency !== undefined && { parallelism: node.maxConcurrency }),
    // Argo rejects a DAG without tasks.
    dag: {
      tasks: tasks.length > 0 ? tasks.map(({ call }) => call) : [{ name: 'go', template: IDLE }],
    },
    outputs: {
      parameters: [
        { name: 'output', valueFrom: { expression: `toJson({${outputs.join(', ')}})` } },
      ],
    },
  };
}

/** A loop over items: each is passed with its number, which Argo does not provide. */
export function itemsTemplate(
  name: string,
  { node, policy }: NodePlan & { node: MapNode },
  body: string,
): Template {
  const keys = (node.items ?? '').split('.').slice(1);
  const list = keys.reduce((at, key) => `${at}?.[${exprText(key)}]`, INPUT);
  const { maxIters } = policy.loopGuards ?? {};
  const steps: ArgoCall[][] = [
    [failing('unlisted', `type(${list}) != "array"`, 'NoItems', node.id)],
    ...guardsOver({ policy }, `len(${list})`, maxIters, node.id),
    [
      {
        name: 'each',
        template: body,
        withParam: tag(
          `let list = ${list}; toJson(map(0..len(list) - 1, toJson({"index": #, "value": list[#]})))`,
        ),
        arguments: {
          parameters: [
            { name: 'input', value: tag('toJson(fromJSON(item).value)') },
            {
              name: 'prefix',
              value: tag('inputs.parameters.path + "[" + string(fromJSON(item).index) + "]/"'),
            },
          ],
        },
      },
    ],
  ];
  return {
    name,
    inputs: INPUTS,
    ...(node.maxConcurrency !== undefined && { parallelism: node.maxConcurrency }),
    steps,
    outputs: {
      parameters: [
        {
          name: 'output',
          // Argo collects the outputs of all items in a list, in their order.
          valueFrom: { expression: 'steps["each"]?.outputs?.parameters?.output ?? "[]"' },
        },
      ],
    },
  };
}

/** The guards of a loop over a list: on its length, and on its start time. */
function guardsOver(
  { policy }: Pick<NodePlan, 'policy'>,
  length: string,
  most: number | undefined,
  nodeId: string,
): ArgoCall[][] {
  const calls: ArgoCall[] = [];
  if (most !== undefined) calls.push(failing('long', `${length} > ${most}`, 'LoopGuard', nodeId));
  const { deadlineSeconds } = policy.loopGuards ?? {};
  if (deadlineSeconds !== undefined) {
    calls.push(failing('overdue', sinceStart(deadlineSeconds), 'LoopGuard', nodeId));
  }
  return calls.length === 0 ? [] : [calls];
}

const NOW = 'asInt(sprig.unixEpoch(sprig.now()))';

function sinceStart(seconds: number): string {
  return `${NOW} - asInt(workflow.creationTimestamp.s) >= ${seconds}`;
}

/** Conditions under which the guards of a loop end it after a turn. */
function boundsOf({ loopGuards = {} }: NodePlan['policy']): string[] {
  const { maxIters, deadlineSeconds, timeBudgetSeconds } = loopGuards;
  const bounds: string[] = [];
  if (maxIters !== undefined) bounds.push(`asInt(inputs.parameters.index) + 1 >= ${maxIters}`);
  if (deadlineSeconds !== undefined) bounds.push(sinceStart(deadlineSeconds));
  if (timeBudgetSeconds !== undefined) {
    bounds.push(`${NOW} - asInt(inputs.parameters.began) >= ${timeBudgetSeconds}`);
  }
  return bounds;
}

/** A call that evaluates the condition of a loop, for guards that expressions of Argo cannot. */
function judgeCall(
  template: string,
  { input, output }: { readonly input: string; readonly output: string },
  guard: string | undefined,
): ArgoCall {
  const parameters = [
    { name: 'input', value: tag(`toJson({"input": ${input}, "output": ${output}})`) },
    { name: 'guards', value: safeJson([{ edge: 'end', guard }]) },
    { name: 'otherwise', value: 'again' },
  ];
  return { name: 'judge', template, arguments: { parameters } };
}

/** A loop that runs until a guard ends it: a template that calls itself, with a counter. */
export function untilTemplates(
  name: string,
  { node, policy }: NodePlan & { node: MapNode },
  body: string,
  turn: string,
  guards: string,
): { readonly templates: Template[]; readonly usesGuards: boolean } {
  const counted = (values: Readonly<Record<string, string>>) => ({
    parameters: ['input', 'path', 'origin', 'index', 'began'].map((parameter) => {
      return { name: parameter, value: values[parameter] ?? `{{inputs.parameters.${parameter}}}` };
    }),
  });
  const output = 'steps["turn"]?.outputs?.parameters?.output';
  const variables = {
    input: 'fromJSON(inputs.parameters.origin)',
    output: `fromJSON(${output} ?? "null")`,
  };
  const until = node.until === undefined ? 'false' : guardExpression(node.until, variables);
  const ends = [until ?? 'steps["judge"]?.outputs?.result == "end"', ...boundsOf(policy)];
  const steps: ArgoCall[][] = [
    [
      {
        name: 'turn',
        template: body,
        arguments: {
          parameters: [
            { name: 'input', value: '{{inputs.parameters.input}}' },
            {
              name: 'prefix',
              value: tag('inputs.parameters.path + "[" + inputs.parameters.index + "]/"'),
            },
          ],
        },
      },
    ],
  ];
  if (until === undefined) steps.push([judgeCall(guards, variables, node.until)]);
  const next = {
    input: '{{steps.turn.outputs.parameters.output}}',
    index: tag('string(asInt(inputs.parameters.index) + 1)'),
  };
  steps.push([
    {
      name: 'again',
      template: turn,
      when: tag(`!(${ends.map((end) => `(${end})`).join(' || ')})`),
      arguments: counted(next),
    },
  ]);
  const last = `steps["again"]?.outputs?.parameters?.output ?? ${output} ?? "null"`;
  const first = {
    name: 'turns',
    template: turn,
    arguments: counted({
      origin: '{{inputs.parameters.input}}',
      index: '0',
      began: tag(`string(${NOW})`),
    }),
  };
  const templates: Template[] = [
    {
      name,
      inputs: INPUTS,
      steps: [[first]],
      outputs: { parameters: [handOn('output', '{{steps.turns.outputs.parameters.output}}')] },
    },
    {
      name: turn,
      inputs: {
        parameters: ['input', 'path', 'origin', 'index', 'began'].map((one) => ({ name: one })),
      },
      steps,
      outputs: { parameters: [{ name: 'output', valueFrom: { expression: last } }] },
    },
  ];
  return { templates, usesGuards: until === undefined };
}
