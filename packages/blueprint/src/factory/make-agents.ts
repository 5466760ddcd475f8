import type { ToolCatalogue } from '@alas-jssp/agents';
import { sha256 } from '@alas-jssp/core/sha256';
import type { AskPart, DraftModels } from '../drafting/draft.js';
import type { DraftFinding } from '../drafting/part.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Specification } from '../specification/specification.js';
import type { Template, TemplateNode } from '../template/template.js';
import { AGENT_SCHEMA, type AgentFile } from './agent-file.js';
import { type AgentSpec, agentSpecOf, specHash } from './agent-spec.js';
import { type CodeCase, exampleOfSpec, findCodeFault } from './code-gates.js';
import { codeQuestion, toModule } from './code-question.js';
import { type AgentCandidate, findCandidates } from './find-candidates.js';
import { type AgentLibrary, NO_LIBRARY } from './library.js';
import { noAgent } from './missing-agent.js';
import { type AgentRegistry, catalogueRegistry, libraryRegistry } from './offers.js';
import { PROMPT_RULES, promptOfNode } from './prompt-agent.js';

/** The work of the factory on a template. */
export interface MakeAgentsOptions {
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
  readonly models: Pick<DraftModels, 'planner'>;
  readonly ask: AskPart;
  readonly sandbox: Sandbox;
  /** Agents that were made before. Default: none. */
  readonly library?: AgentLibrary | undefined;
  /** Further registries to search. */
  readonly registries?: readonly AgentRegistry[] | undefined;
}

/** The way in which an agent came about, for people. */
export interface AgentOrigin {
  readonly node: string;
  /** `found` in a registry, `reused` from the library, `made` now; `missing`: a finding says why. */
  readonly outcome: 'found' | 'reused' | 'made' | 'missing';
  /** Candidates, best first, with the terms of their scores. */
  readonly candidates: readonly AgentCandidate[];
}

/** Agents of the nodes of a template. */
export interface MadeAgents {
  /** The agent of a node has its name. Further candidates of late-bound roles, `NODE.2` and so on, follow in order. */
  readonly agents: readonly AgentFile[];
  /** Code by the name that `implementation.file` gives. */
  readonly files: Readonly<Record<string, string>>;
  readonly findings: readonly DraftFinding[];
  readonly origins: readonly AgentOrigin[];
}

/** The most candidates that a late-bound role is given. */
const LATE_CANDIDATES = 3;

/**
 * Makes an agent for each node of a template, choices excepted (ALAS, C.2): first it searches the registries, then the
 * library for an agent of an equal specification, and generates one where nothing fits: a prompt, or code that passes
 * the gates of the sandbox. Code that does not pass is a finding of the part `code/NODE`, with the counterexample.
 */
export async function makeAgents(options: MakeAgentsOptions): Promise<MadeAgents> {
  const made: NodeAgents[] = [];
  for (const node of options.template.nodes) {
    const spec = agentSpecOf(node, options);
    if (spec !== undefined) made.push(await agentsOfNode(node, spec, options));
  }
  const agents = made.flatMap((one) => one.agents);
  const files = Object.fromEntries(made.flatMap((one) => Object.entries(one.files ?? {})));
  options.library?.add(agents, files);
  return {
    agents,
    files,
    findings: made.flatMap(({ finding }) => (finding === undefined ? [] : [finding])),
    origins: made.map(({ origin }) => origin),
  };
}

interface NodeAgents {
  readonly agents: readonly AgentFile[];
  readonly files?: Readonly<Record<string, string>>;
  readonly finding?: DraftFinding;
  readonly origin: AgentOrigin;
}

async function agentsOfNode(
  node: TemplateNode,
  spec: AgentSpec,
  options: MakeAgentsOptions,
): Promise<NodeAgents> {
  const { template, catalogue, library = NO_LIBRARY, registries = [] } = options;
  const all = [catalogueRegistry(catalogue), ...registries, libraryRegistry(library.agents)];
  const candidates = findCandidates(spec, all);
  const origin = (outcome: AgentOrigin['outcome']) => ({ node: node.id, outcome, candidates });
  if (spec.work === 'tool') {
    const [best] = candidates;
    if (best === undefined) {
      return { agents: [], finding: noAgent(node, spec, all), origin: origin('missing') };
    }
    const isLate = template.roles.find(({ id }) => id === node.role)?.late === true;
    const kept = candidates.slice(0, isLate ? LATE_CANDIDATES : 1);
    return {
      agents: kept.map((one, k) =>
        foundAgent(k === 0 ? node.id : `${node.id}.${k + 1}`, spec, one),
      ),
      origin: origin('found'),
    };
  }
  const reused = await reuse(node, spec, candidates, options.sandbox);
  if (reused !== undefined) return { ...reused, origin: origin('reused') };
  const generated =
    spec.work === 'model' ? promptAgent(node, spec, options) : await codeAgent(node, spec, options);
  const isMade = generated.finding === undefined;
  return { ...generated, origin: origin(isMade ? 'made' : 'missing') };
}

function foundAgent(name: string, spec: AgentSpec, candidate: AgentCandidate): AgentFile {
  const { offer, registry, match, score, terms, mapping } = candidate;
  const { implementation } = offer;
  return {
    ...commonParts(name, spec),
    access: offer.access,
    implementation:
      implementation.kind === 'tool' && mapping !== undefined
        ? { ...implementation, mapping }
        : implementation,
    made: { by: 'discovery', registry, match, score, terms: [...terms] },
    tests: [],
  };
}

/** The agent of an equal specification, if its code still passes the gates: files of a library may have been edited. */
async function reuse(
  { id }: TemplateNode,
  spec: AgentSpec,
  candidates: readonly AgentCandidate[],
  sandbox: Sandbox,
): Promise<Omit<NodeAgents, 'origin'> | undefined> {
  for (const { offer } of candidates) {
    const { implementation, code, tests, made } = offer;
    if (made === null) continue;
    const common = { ...commonParts(id, spec), made, tests: [...tests] };
    if (implementation.kind === 'prompt') return { agents: [{ ...common, implementation }] };
    if (implementation.kind !== 'code' || code === undefined) continue;
    if ((await findCodeFault(code, tests as CodeCase[], spec, sandbox)) !== undefined) continue;
    const file = `${id}.js`;
    const agent: AgentFile = { ...common, implementation: { kind: 'code', file } };
    return { agents: [agent], files: { [file]: code } };
  }
  return undefined;
}

function promptAgent(
  node: TemplateNode,
  spec: AgentSpec,
  { template, specification }: MakeAgentsOptions,
): Omit<NodeAgents, 'origin'> {
  const role = template.roles.find(({ id }) => id === node.role);
  const agent: AgentFile = {
    ...commonParts(node.id, spec),
    implementation: promptOfNode(node, role, specification),
    made: { by: 'generation', model: 'none', prompt: PROMPT_RULES },
    tests: [],
  };
  return { agents: [agent] };
}

/** Asks for code, and passes it through the gates. */
async function codeAgent(
  node: TemplateNode,
  spec: AgentSpec,
  { specification, ask, sandbox, models }: MakeAgentsOptions,
): Promise<Omit<NodeAgents, 'origin'>> {
  const question = codeQuestion(node, spec, specification, exampleOfSpec(spec));
  const asked = await ask(question);
  if (!asked.ok) return { agents: [], finding: asked.finding };
  const code = toModule(asked.value.code);
  const { cases } = asked.value;
  const fault = await findCodeFault(code, cases as CodeCase[], spec, sandbox);
  if (fault !== undefined) {
    const path = fault.code === 'case_wrong' ? '$.cases' : '$.code';
    return { agents: [], finding: { severity: 'error', part: question.part, path, ...fault } };
  }
  const file = `${node.id}.js`;
  const agent: AgentFile = {
    ...commonParts(node.id, spec),
    implementation: { kind: 'code', file },
    made: {
      by: 'generation',
      model: models.planner,
      prompt: sha256(`${question.system}\n${question.prompt}`),
    },
    tests: cases,
  };
  return { agents: [agent], files: { [file]: code } };
}

function commonParts(
  name: string,
  spec: AgentSpec,
): Omit<AgentFile, 'implementation' | 'made' | 'tests'> {
  return {
    schema: AGENT_SCHEMA,
    name,
    specification: specHash(spec),
    does: spec.does,
    access: spec.access,
    capabilities: [...spec.capabilities],
    input: { ...spec.input } as AgentFile['input'],
    output: { ...spec.output } as AgentFile['output'],
  };
}
