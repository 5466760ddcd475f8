import { modelIdentity } from '@alas-jssp/agents';
import type { DraftFinding } from '../drafting/part.js';
import type { AgentFile } from '../factory/agent-file.js';
import type { TemplateNode } from '../template/template.js';
import { draftError } from './finding.js';
import type { DraftScope } from './scope.js';

/** Reviewers share no role, tool, model or prompt with the work that they review. */
export function checkProvenance(scope: DraftScope): DraftFinding[] {
  return scope.template.nodes.flatMap((node) => {
    const reviewed = scope.nodes.get(node.details.reviews ?? '');
    if (node.details.reviews === undefined || reviewed === undefined) return [];
    return reviewed.id === node.id ? [] : checkPair(scope, node, reviewed);
  });
}

function checkPair(scope: DraftScope, node: TemplateNode, reviewed: TemplateNode): DraftFinding[] {
  const findings: DraftFinding[] = [];
  const share = (what: string, part: string, path: PropertyKey[], hint: string) => {
    const message = `${node.id} reviews ${reviewed.id}, and shares its ${what}`;
    findings.push(draftError(`shared_${what.split(' ')[0]}`, part, path, message, hint));
  };
  const index = scope.template.nodes.indexOf(node);
  if (node.role !== null && node.role === reviewed.role) {
    const hint = `give ${node.id} a role of its own, of kind "validator"`;
    share(`role ${node.role}`, 'nodes', ['nodes', index, 'role'], hint);
  }
  const tool = node.work === 'tool' ? node.details.tool : undefined;
  if (tool !== undefined && tool === reviewed.details.tool) {
    share(`tool ${tool}`, `node/${node.id}`, ['tool'], 'use another tool, or let it compute');
  }
  if (node.work !== 'model' || reviewed.work !== 'model') return findings;
  const model = modelOf(scope, node);
  const other = modelOf(scope, reviewed);
  // Settings do not make another model of it.
  if (model !== undefined && other !== undefined && modelIdentity(model) === modelIdentity(other)) {
    const hint = `give ${node.id} the work "compute" or "tool", or name another model for reviewers`;
    share(`model ${model}`, 'nodes', ['nodes', index, 'work'], hint);
  }
  if (promptOf(scope, node) === promptOf(scope, reviewed)) {
    const hint = `say in "does" how ${node.id} checks, not how the work is done`;
    share('prompt', 'nodes', ['nodes', index, 'does'], hint);
  }
  return findings;
}

/** The model of a node: that of reviewers for validators, if there is one. */
function modelOf({ models, roles }: DraftScope, { role }: TemplateNode): string | undefined {
  const reviews = role !== null && roles.get(role)?.kind === 'validator';
  return reviews ? (models?.reviewer ?? models?.agents) : models?.agents;
}

/** The prompt of a node: its agent's, or the words that the factory would make it of. */
function promptOf({ agents = [], roles }: DraftScope, node: TemplateNode): string {
  const implementation = agents.find((agent: AgentFile) => agent.name === node.id)?.implementation;
  if (implementation?.kind === 'prompt') {
    return JSON.stringify([implementation.system, implementation.instruction]);
  }
  const purpose = node.role === null ? '' : (roles.get(node.role)?.purpose ?? '');
  return JSON.stringify([normal(purpose), normal(node.does)]);
}

function normal(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}
