import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import { listOf, nodesInOrder, nodesOf, toolOf } from '../part-plan.js';
import { familyOfPart } from '../part-schemas.js';
import { fittingTools, toolFacts } from './fitting-tools.js';
import { inputSection } from './outline-prompts.js';
import { bullets, example, json, type PromptFacts, section, type WritePrompt } from './prompt.js';
import { describeItems } from './specification-prompts.js';

/** The prompts of nodes, of coverage and of undos, by family. */
export const DETAIL_PROMPTS: Readonly<Record<string, WritePrompt>> = {
  node: (facts, part) => {
    const id = familyOfPart(part).id ?? '';
    const node = nodesOf(facts.parts).find((one) => one.id === id) ?? { id };
    return (
      section('Node', json(node)) +
      section('Operation', json(operationOf(facts, node) ?? null)) +
      section('Edges from and to it', bullets(edgesAt(facts, id).map(json))) +
      inputSection(facts) +
      section('Outputs of the nodes before it', bullets(outputsBefore(facts, id))) +
      (node.work === 'tool' ? toolSection(facts, node) : '') +
      section('Constraints', bullets(describeItems(facts, 'constraints', ['text', 'operations']))) +
      section(
        'Disruptions',
        bullets(describeItems(facts, 'disruptions', ['kind', 'text', 'operation'])),
      ) +
      section('Question', nodeQuestion(node)) +
      nodeExample(node)
    );
  },
  'constraint-coverage': (facts) =>
    section('Constraints', bullets(describeItems(facts, 'constraints', ['text', 'operations']))) +
    section('Nodes', bullets(nodesWithDetails(facts))) +
    section('Edges', bullets(listOf(facts.parts, 'edges').map(json))) +
    section(
      'Question',
      `Say for every constraint how the workflow enforces it, by the first of these that fits:
- { "by": "choice", "choice": ID, "node": ID }: the choice leads to the node only if the constraint holds
- { "by": "approval", "node": ID }: the approval that the node waits for
- { "by": "order", "before": ID, "after": ID }: every path to one node passes the other
- { "by": "policy", "node": ID, "policy": "timeout", "retry", "catch" or "undo" }
- { "by": "output", "node": ID, "holds": JSONata over $input and $output of the node }
- { "by": "input", "node": ID, "holds": JSONata over $input of the node }
- { "by": "invariant", "holds": JSONata over $input and $outputs of the workflow }
- { "by": "review", "node": ID }: a node that reviews
- { "by": "nothing", "reason": … }: only if no part of the workflow can enforce it`,
    ) +
    example({
      constraintCoverage: [
        { constraint: 'most-books', enforced: [{ by: 'choice', choice: 'many', node: 'lend' }] },
      ],
    }),
  'disruption-coverage': (facts) =>
    section(
      'Disruptions',
      bullets(describeItems(facts, 'disruptions', ['kind', 'text', 'operation'])),
    ) +
    section('Nodes', bullets(nodesWithDetails(facts))) +
    section(
      'Question',
      `Say for every disruption how the workflow handles it:
- { "by": "retry", "node": ID }: the node has a retry; { "by": "catch", "node": ID }: it has a catch
- { "by": "compensate" }: the run fails and everything done is undone
- { "by": "resume" }: for crashes: the run resumes where it was
- { "by": "escalate", "node": ID }: a person decides by the approval of the node
- { "by": "repair", "node": ID }: a node of a repair role
"neighbourhood" lists the ids of the nodes that may change because of it: the nodes that the disruption hits and those next to them, never all nodes unless the handler is "compensate".`,
    ) +
    example({
      disruptionCoverage: [
        {
          disruption: 'library-down',
          handler: { by: 'retry', node: 'lend' },
          neighbourhood: ['lend'],
        },
      ],
    }),
  undo: (facts, part) => {
    const id = familyOfPart(part).id ?? '';
    const node = nodesOf(facts.parts).find((one) => one.id === id) ?? { id };
    const tool = facts.catalogue.tools.find(({ name }) => name === toolOf(facts.parts, id));
    return (
      section('Node', json({ ...node, input: inputOf(facts, id) })) +
      section('Operation', json(operationOf(facts, node) ?? null)) +
      section('Its tool', json(tool === undefined ? null : (toolFacts(tool) as Json))) +
      section('Tools that may undo it', bullets(undoTools(facts, node))) +
      section(
        'Question',
        `Say how the effect of this node is undone if the run fails later. "strategy" is:
- "undo": the calls in "sequence" restore the state; "mitigate": they make up for the effect
- "escalate": a person must deal with it; "irreversible": nothing can be done, and the node is held until it is approved
"sequence" lists the calls of tools in order; the input of a call takes "input.KEY" or "output.KEY" of the node's own call, "key" (its idempotency key), or { "value": … }. It is empty for "escalate" and "irreversible". Calling it twice must not undo twice. Give the reason in one sentence.`,
      ) +
      example({
        node: 'lend',
        strategy: 'undo',
        sequence: [{ tool: 'library.return', input: { loan: 'output.loan' } }],
        reason: 'A loan can be ended.',
      })
    );
  },
};

function nodeQuestion(node: Readonly<Record<string, Json>>): string {
  const input = `"input" names for every key of the input where its value comes from: "input.KEY" of the run, "outputs.NODE.KEY" of a node before it, or { "value": … } for a constant of the text.`;
  if (node.work === 'choice') {
    return `Give the details of this choice. ${input} The conditions of its edges read these keys as $input.KEY, so give all of them. It has no tool and no policies.`;
  }
  const work =
    node.work === 'tool'
      ? 'Name the tool that does the work, and map every required key of its input. To call it once for each item of a list, give "forEach": a reference to the list, and use "item.KEY" in the input.'
      : '"output" is the JSON Schema of its output: an object with typed properties, all required. A review has at least the property "ok", a boolean, and names the node that it reviews in "reviews".';
  return `Give the details of this node. ${input} ${work}
Give policies only where the text, a constraint or a disruption asks for them:
- "retry": { "attempts": N, "on": [error codes, default all] }; "timeout": seconds
- "approval": the name of the approval that it waits for, with "approvers" if the text names them. A node that cannot be undone always has one.
- "catch": [{ "errors": ["*"], "to": ID of the node that continues }]
- "sees": ids of earlier nodes whose results its agent must see besides its input`;
}

function nodeExample({ work }: Readonly<Record<string, Json>>): string {
  if (work === 'choice') return example({ id: 'late', input: { days: 'outputs.find.days' } });
  if (work === 'tool') {
    return example({
      id: 'lend',
      tool: 'library.lend',
      input: { book: 'input.book', days: { value: 14 } },
      retry: { attempts: 2 },
    });
  }
  return example({
    id: 'fine',
    input: { days: 'outputs.find.days' },
    output: {
      type: 'object',
      properties: { amount: { type: 'number' } },
      required: ['amount'],
    },
  });
}

function operationOf(
  { parts }: PromptFacts,
  node: Readonly<Record<string, Json>>,
): Record<string, Json> | undefined {
  return listOf(parts, 'operations').find(({ id }) => id === node.operation);
}

function edgesAt({ parts }: PromptFacts, id: string): Record<string, Json>[] {
  return listOf(parts, 'edges').filter(({ from, to }) => from === id || to === id);
}

/** The outputs of all nodes that come before a node, as far as they are known. */
function outputsBefore(facts: PromptFacts, id: string): string[] {
  const before = ancestorsOf(facts, id);
  return nodesInOrder(facts.parts)
    .filter((one) => before.has(one))
    .map((one) => `outputs.${one}: ${json(outputOf(facts, one))}`);
}

function ancestorsOf({ parts }: PromptFacts, id: string): Set<string> {
  const edges = listOf(parts, 'edges');
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { from, to } of edges) {
      if (to !== next || typeof from !== 'string' || found.has(from) || from === id) continue;
      found.add(from);
      open.push(from);
    }
  }
  return found;
}

/** The schema of the output of a node: its own, or that of its tool. */
function outputOf({ parts, catalogue }: PromptFacts, id: string): Json {
  const details = parts[`node/${id}`];
  if (isObject(details) && details.output !== undefined) return details.output as Json;
  const tool = catalogue.tools.find(({ name }) => name === toolOf(parts, id));
  return (tool?.output as Json | undefined) ?? null;
}

function inputOf({ parts }: PromptFacts, id: string): Json {
  const details = parts[`node/${id}`];
  return isObject(details) ? ((details.input as Json | undefined) ?? null) : null;
}

function toolSection(facts: PromptFacts, node: Readonly<Record<string, Json>>): string {
  const operation = operationOf(facts, node);
  const words = [node.id, node.does, operation?.does, operation?.system].join(' ');
  const tools = fittingTools(facts.catalogue, words);
  return section('Tools that may fit', bullets(tools.map((tool) => json(toolFacts(tool) as Json))));
}

/** The declared inverse of the tool, and tools that fit the words about undoing. */
function undoTools(facts: PromptFacts, node: Readonly<Record<string, Json>>): string[] {
  const { tools } = facts.catalogue;
  const own = tools.find(({ name }) => name === toolOf(facts.parts, String(node.id)));
  const operation = operationOf(facts, node);
  const words = `${own?.name} ${own?.system} ${node.does} ${operation?.undo} undo cancel void revert delete remove`;
  const others = { ...facts.catalogue, tools: tools.filter(({ name }) => name !== own?.name) };
  const inverse = others.tools.filter(({ name }) => name === own?.inverse?.tool);
  const fitting = fittingTools(others, words).filter((tool) => !inverse.includes(tool));
  return [...inverse, ...fitting].map((tool) => json(toolFacts(tool) as Json));
}

/** One line for each node: outline, tool and policies, without schemas. */
function nodesWithDetails({ parts }: PromptFacts): string[] {
  return nodesOf(parts).map((node) => {
    const details = parts[`node/${node.id}`];
    const { output, id: _, ...rest } = (isObject(details) ? details : {}) as Record<string, Json>;
    const keys = isObject(output) && isObject(output.properties) ? output.properties : undefined;
    return json({
      ...node,
      ...rest,
      ...(keys !== undefined && { output: Object.keys(keys) }),
    });
  });
}
