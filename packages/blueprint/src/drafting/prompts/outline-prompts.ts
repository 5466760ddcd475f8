import { capabilityOf } from '@alas-jssp/agents';
import { bullets, example, type PromptFacts, section, type WritePrompt } from './prompt.js';
import { describeItems, operationSection, toolLines } from './specification-prompts.js';

/** The prompts of the outline of a template: roles, nodes and edges. */
export const OUTLINE_PROMPTS: Readonly<Record<string, WritePrompt>> = {
  roles: (facts) =>
    operationSection(facts) +
    section(
      'Tools and the capability that a role needs to call them',
      bullets(
        facts.catalogue.tools.map(
          (tool) => `${tool.name}: capability ${capabilityOf(tool)}, system ${tool.system ?? '?'}`,
        ),
      ),
    ) +
    section('Constraints', bullets(describeItems(facts, 'constraints', ['text']))) +
    section(
      'Question',
      `List the roles that do the work: as few as the systems and responsibilities need, usually one for each system. "kind" is "domain" for roles that call tools or compute, "validator" for roles that review the work of others. "capabilities" lists the capabilities that the role needs, exactly as above, also for the tools that undo its work, and no more. "context" says which facts its agents see: "keeps" some of goals, constraints, decisions, dependencies, entities, with at most "tokens" tokens (500 is usual). Set "late" to true only if the text says that its agent is chosen when a run starts.`,
    ) +
    example({
      roles: [
        {
          id: 'librarian',
          kind: 'domain',
          purpose: 'Lends and takes back books.',
          capabilities: ['library.lend', 'library.return'],
          context: { keeps: ['goals', 'entities'], tokens: 500 },
        },
      ],
    }),
  nodes: (facts) =>
    operationSection(facts) +
    section('Constraints', bullets(describeItems(facts, 'constraints', ['text', 'operations']))) +
    section('Disruptions', bullets(describeItems(facts, 'disruptions', ['text', 'operation']))) +
    section('Roles', bullets(describeItems(facts, 'roles', ['kind', 'purpose', 'capabilities']))) +
    section('Tools', bullets(toolLines(facts))) +
    section(
      'Question',
      `List the nodes of the workflow. "work" is:
- "tool": calls one tool once, or once for each item of a list; "model": an agent answers with a prompt; "compute": a pure function of its input
- "choice": continues with one of several next nodes by a condition; its role is null
Every operation has at least one node with its id in "operation". Every condition that decides what happens next is a choice. If only some cases need an approval, use a choice and one node for either case. A review is a node of a validator role with work "model" or "compute", directly before the step that depends on it. Nodes for checks, reviews and choices have the operation null.
Put steps that cannot be undone, such as sending messages, last.`,
    ) +
    example({
      nodes: [
        { id: 'late', work: 'choice', role: null, does: 'Is the book late?', operation: null },
        {
          id: 'lend',
          work: 'tool',
          role: 'librarian',
          does: 'Lends the book.',
          operation: 'lend',
        },
      ],
    }),
  edges: (facts) =>
    section('Nodes', bullets(describeItems(facts, 'nodes', ['work', 'does', 'operation']))) +
    operationSection(facts) +
    inputSection(facts) +
    section('Constraints', bullets(describeItems(facts, 'constraints', ['text', 'operations']))) +
    section(
      'Question',
      `List the edges: which node comes directly after which. Rules:
- There are no cycles, and every node is reached. Nodes without an edge between them may run at the same time.
- A choice has an edge with "when", a JSONata condition over $input, such as "$input.days > 30", for each case, and one edge with "otherwise": true. $input is the input of the choice; you decide later where its keys come from. Other edges have neither key.
- Steps that cannot be undone come as late as possible: after everything that may fail, if the text allows it. They are held until they are approved, so nothing that can fail comes after them if it can come before.
- Whatever must happen first by a constraint comes first.
"repairable" says what a repair may change about an edge: usually omit it.`,
    ) +
    example({
      edges: [
        { from: 'late', to: 'fine', when: '$input.days > 14' },
        { from: 'late', to: 'lend', otherwise: true },
        { from: 'fine', to: 'lend' },
      ],
    }),
};

/** The inputs of a run as facts. */
export function inputSection(facts: PromptFacts): string {
  return section(
    'Inputs of a run',
    bullets(describeItems(facts, 'inputs', ['type', 'items', 'description'])),
  );
}
