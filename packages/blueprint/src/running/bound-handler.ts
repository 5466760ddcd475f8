import { errorLine } from '@alas-jssp/core/errors';
import type { Handler, StepContext } from '@alas-jssp/workflow';
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
  /** The place of the bound agent in the list, by run: another process decides again, in the same way. */
  const bound = new Map<string, number>();
  const bind = (
    input: unknown,
    context: StepContext,
    place: number,
    reason: string,
    replaced?: string,
  ) => {
    bound.set(context.runId, place);
    const { agent } = candidates[place];
    context.log('Bind', {
      ...entryFields(node, input),
      role: role.id,
      agent,
      reason,
      ...(replaced !== undefined && { replaced }),
    });
  };
  return {
    ...candidates[0].handler,
    kind: 'external',
    async run(input, context) {
      if (!bound.has(context.runId)) bind(input, context, 0, 'it fits the role best');
      for (;;) {
        const place = bound.get(context.runId) ?? 0;
        const { agent, handler } = candidates[place];
        try {
          return await handler.run(input, context);
        } catch (error) {
          const { code = '' } = error as { code?: string };
          const isLast = place + 1 >= candidates.length;
          if (isLast || NOT_OF_THE_AGENT.includes(code) || context.signal.aborted) {
            throw error;
          }
          // Meanwhile another step of the run may have replaced it.
          if (bound.get(context.runId) !== place) continue;
          bind(input, context, place + 1, `${agent} failed: ${errorLine(error)}`, agent);
        }
      }
    },
  };
}
