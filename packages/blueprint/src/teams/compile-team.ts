import { fileURLToPath } from 'node:url';
import { TOOLS_SCHEMA, type ToolCatalogue } from '@alas-jssp/agents';
import { SPECIFICATION_SCHEMA, type Specification } from '../specification/specification.js';
import {
  TEMPLATE_SCHEMA,
  type Template,
  type TemplateNode,
  type Undo,
} from '../template/template.js';
import { badTeam, membersOf, type Team, type TeamMember } from './team.js';

/** A team as a draft: it needs no planner. */
export interface CompiledTeam {
  readonly name: string;
  /** The team in words, from which the statements of the specification come. */
  readonly text: string;
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
}

/** The tool of teams that writes a file. */
const WRITE = 'write_str_to_txt';
const REMOVE = 'remove_txt';

/** The role of nodes that write files. No agent has this id: names are in lower case. */
const FILE_ROLE = 'Files';

/** Limits of the work of one agent. */
const ATTEMPTS = 2;
const SECONDS = 300;
const CONTEXT_TOKENS = 4000;

/**
 * Compiles a team of agents into a draft. Each agent becomes a role, and a node in which a model works; an agent with
 * the tool that writes files proposes name and text, and a second node calls the tool, whose undo removes the file.
 *
 * @throws InputError `bad_team` for tools that are not known, unknown or ambiguous agents of edges, and cycles
 */
export function compileTeam(team: Team): CompiledTeam {
  const members = membersOf(team);
  const writers = new Set(members.filter(isWriter).map(({ id }) => id));
  const name = nameOf(team);
  const steps = members.map((member) => stepOf(member, writers));
  const template: Template = {
    schema: TEMPLATE_SCHEMA,
    name,
    roles: [...members.map(roleOf), ...(writers.size > 0 ? [fileRole()] : [])],
    nodes: steps.flatMap(({ nodes }) => nodes),
    edges: edgesOf(members, writers),
    constraintCoverage: [],
    disruptionCoverage: [],
    undo: steps.flatMap(({ undo }) => undo),
  };
  return {
    name,
    text: textOf(name, members),
    specification: specificationOf(name, members, writers),
    template,
    catalogue: catalogueOf(writers.size > 0),
  };
}

function isWriter({ agent }: TeamMember): boolean {
  const tools = [agent.tools ?? []].flat().filter((tool) => tool !== '');
  const other = tools.find((tool) => tool !== WRITE);
  if (other === undefined) return tools.length > 0;
  throw badTeam(
    `${agent.name} has the tool ${other}, which is not known`,
    `the known tool is ${WRITE}`,
  );
}

function nameOf({ name, notebook }: Team): string {
  const words = (name ?? notebook ?? 'team').match(/[A-Za-z0-9]+/g)?.join('-') ?? 'team';
  return /^[A-Za-z]/.test(words) ? words : `team-${words}`;
}

/** The work of an agent in one sentence: what it does, and the expected output. */
function workOf({ agent }: TeamMember): string {
  const { task_description: task, task_expected_output: expected } = agent;
  return expected === undefined ? task : `${task} Expected output: ${expected}`;
}

/** The id of the node that calls the tool for a writer. */
function fileNode(id: string): string {
  return `${id}-file`;
}

function roleOf({ id, agent }: TeamMember): Template['roles'][number] {
  return {
    id,
    kind: 'domain',
    purpose: agent.backstory,
    capabilities: [],
    context: { keeps: ['goals', 'decisions'], tokens: CONTEXT_TOKENS },
    efficiency: { seconds: SECONDS },
    late: false,
  };
}

/** The role of the nodes that write files: models propose texts, and have no permission to write. */
function fileRole(): Template['roles'][number] {
  return {
    id: FILE_ROLE,
    kind: 'domain',
    purpose: 'Writes texts into files.',
    capabilities: [WRITE, REMOVE],
    context: { keeps: [], tokens: CONTEXT_TOKENS },
    efficiency: {},
    late: false,
  };
}

function stepOf(
  member: TeamMember,
  writers: ReadonlySet<string>,
): { readonly nodes: TemplateNode[]; readonly undo: Undo[] } {
  const { id, before } = member;
  // Of a writer, the text that it has written is passed on.
  const input = Object.fromEntries(
    before.map((one) => [
      keyOf(one),
      `outputs.${one}.${writers.has(one) ? 'string_data' : 'text'}`,
    ]),
  );
  const common = { sees: [], log: [] };
  const output = textSchema(writers.has(id) ? ['string_data', 'txt_filename'] : ['text']);
  const retry = { attempts: ATTEMPTS, on: ['*'] };
  const work: TemplateNode = {
    id,
    work: 'model',
    role: id,
    does: workOf(member),
    operation: id,
    details: { id, input, output, retry, timeout: SECONDS, ...common },
  };
  if (!writers.has(id)) return { nodes: [work], undo: [] };
  const file = fileNode(id);
  const keys = {
    string_data: `outputs.${id}.string_data`,
    txt_filename: `outputs.${id}.txt_filename`,
  };
  return {
    nodes: [
      work,
      {
        id: file,
        work: 'tool',
        role: FILE_ROLE,
        does: 'Write the text into the file.',
        operation: file,
        details: { id: file, tool: WRITE, input: keys, timeout: 60, ...common },
      },
    ],
    undo: [
      {
        node: file,
        strategy: 'undo',
        sequence: [{ tool: REMOVE, input: { file: 'output.file' } }],
        reason: 'The file did not exist before; it is removed.',
      },
    ],
  };
}

/** A key of an input, named after an agent. */
function keyOf(id: string): string {
  return id.replaceAll('-', '_');
}

function textSchema(keys: readonly string[]): TemplateNode['details']['output'] {
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
    required: [...keys],
    additionalProperties: false,
  };
}

function edgesOf(members: readonly TeamMember[], writers: ReadonlySet<string>): Template['edges'] {
  const last = (id: string) => (writers.has(id) ? fileNode(id) : id);
  const edge = (from: string, to: string) => ({ from, to, repairable: 'none' as const });
  return members.flatMap(({ id, before }) => [
    ...before.map((one) => edge(last(one), id)),
    ...(writers.has(id) ? [edge(id, fileNode(id))] : []),
  ]);
}

function specificationOf(
  name: string,
  members: readonly TeamMember[],
  writers: ReadonlySet<string>,
): Specification {
  const receivers = new Set(members.flatMap(({ before }) => before));
  const ends = members.filter(({ id }) => !receivers.has(id));
  return {
    schema: SPECIFICATION_SCHEMA,
    title: `The work of the team ${name}`,
    objectives: ends.map(({ id, agent }) => ({
      id,
      text: `The work of ${id} is done.`,
      source: agent.task_description,
    })),
    entities: [],
    inputs: [],
    operations: members.flatMap((member) => {
      const { id, agent } = member;
      const source = agent.task_description;
      const own = {
        id,
        does: `Do the work of ${id}.`,
        system: null,
        access: 'decide' as const,
        undo: null,
        source,
      };
      if (!writers.has(id)) return [own];
      const file = {
        id: fileNode(id),
        does: 'Write the text into the file.',
        system: 'files',
        access: 'change' as const,
        undo: 'Remove the file.',
        source,
      };
      return [own, file];
    }),
    constraints: [],
    disruptions: [],
    questions: [],
    assumptions: [],
  };
}

/** The team in words: its roles, their tasks, and the way of the work. */
function textOf(name: string, members: readonly TeamMember[]): string {
  const parts = members.map(({ id, agent, before }) => {
    const {
      name: title,
      backstory,
      task_description: task,
      task_expected_output: expected,
    } = agent;
    const lines = [`## ${title} (${id})`, '', backstory, '', task];
    if (expected !== undefined) lines.push('', `Expected output: ${expected}`);
    if (before.length > 0) lines.push('', `Receives the work of ${before.join(', ')}.`);
    return lines.join('\n');
  });
  return `# The work of the team ${name}\n\n${parts.join('\n\n')}\n`;
}

/** The tools of teams that write files; their module is a part of this package. */
function catalogueOf(writes: boolean): ToolCatalogue {
  if (!writes) return { schema: TOOLS_SCHEMA, tools: [], trial: {} };
  const module = fileURLToPath(new URL('../../tools/text-files.mjs', import.meta.url));
  const common = { system: 'files', idempotent: true, examples: [] };
  return {
    schema: TOOLS_SCHEMA,
    implementation: { module },
    trial: {},
    tools: [
      {
        name: WRITE,
        description: 'Writes a text into a new file; fails with AlreadyExists if there is one.',
        input: textSchema([
          'string_data',
          'txt_filename',
        ]) as ToolCatalogue['tools'][number]['input'],
        output: textSchema(['file']) as ToolCatalogue['tools'][number]['output'],
        access: 'change',
        refusals: ['AlreadyExists', 'BadFileName'],
        records: [
          {
            does: 'create',
            record: 'file',
            id: 'output.file',
            set: { text: 'input.string_data', name: 'input.txt_filename' },
          },
        ],
        inverse: { tool: REMOVE, input: { file: 'output.file' } },
        ...common,
      },
      {
        name: REMOVE,
        description: 'Removes a file that a run has written.',
        input: textSchema(['file']) as ToolCatalogue['tools'][number]['input'],
        output: textSchema([]) as ToolCatalogue['tools'][number]['output'],
        access: 'change',
        refusals: [],
        records: [{ does: 'delete', record: 'file', id: 'input.file' }],
        ...common,
      },
    ],
  };
}
