import {
  createModelHandler,
  limitTools,
  type Model,
  relevantContext,
  type Toolset,
} from '@alas-jssp/agents';
import type { Handler, Json } from '@alas-jssp/workflow';
import type { AgentFile } from '../factory/agent-file.js';
import { splitMapping } from '../template/sources.js';
import type { TemplateNode } from '../template/template.js';
import { draftFacts } from './draft-facts.js';
import type { RunnableDraft } from './draft-registry.js';
import { entryFields } from './entry-fields.js';

/** An agent with a prompt, and its place in a draft. */
export interface PromptWork {
  readonly draft: RunnableDraft;
  readonly node: TemplateNode;
  readonly agent: AgentFile;
  readonly prompt: { readonly system: string; readonly instruction: string };
  readonly model: Model;
  readonly toolset: Toolset;
}

/**
 * The handler of an agent with a prompt: a model answers in the form of its output schema. Besides its input it sees the
 * facts that its role keeps, by relevance, and it may call the tools that its role permits and that only read.
 */
export function createPromptHandler(work: PromptWork): Handler {
  const { draft, node, agent, prompt, model, toolset } = work;
  const role = draft.template.roles.find(({ id }) => id === node.role);
  const facts = draftFacts(draft);
  const { constants } = splitMapping(node.details.input);
  const { seconds, tokens } = role?.efficiency ?? {};
  const handler = createModelHandler<Json, Json>({
    ...prompt,
    model,
    key: `agent/${node.id}`,
    output: agent.output as Readonly<Record<string, Json>>,
    relevant: (context) =>
      role === undefined
        ? null
        : relevantContext(context.slice(), facts, {
            node: node.id,
            keeps: role.context.keeps,
            sees: node.details.sees,
            tokens: role.context.tokens,
          }),
    tools: limitTools(toolset, role?.capabilities ?? []),
    budget: seconds === undefined ? undefined : { seconds },
    maxOutputTokens: tokens,
    entryFields: (input) => entryFields(node, input),
  });
  return {
    ...handler,
    run: (input: Json, context) => handler.run({ ...constants, ...(input as object) }, context),
  };
}
