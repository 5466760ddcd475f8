import { withReplacement } from '@alas-jssp/agents';
import type { Handler } from '@alas-jssp/workflow';
import type { Role, TemplateNode } from '../template/template.js';
import { entryFields } from './entry-fields.js';

/** An implementation of the work of a node. */
export interface Candidate {
  readonly agent: string;
  readonly handler: Handler;
}

/** Codes of failures that another agent would have as well, or that end the step. */
const NOT_OF_THE_AGENT: readonly string[] = ['NotPermitted', 'BadToolInput', 'AbortError'];

/**
 * The handler of a node with a choice of agents. Which one plays the role is decided when a run calls it for the first
 * time, and is logged (`Bind`); if that agent fails, the next one replaces it for the rest of the run.
 *
 * @param candidates best first, at least one; several only if none of them changes anything
 */
export function bindAgents(
  node: TemplateNode,
  role: Role,
  candidates: readonly Candidate[],
): Handler {
  const agents = candidates.map(({ agent: name, handler }) => ({ name, handler }));
  return withReplacement(agents, {
    role: role.id,
    except: NOT_OF_THE_AGENT,
    entryFields: (input) => entryFields(node, input),
  });
}
