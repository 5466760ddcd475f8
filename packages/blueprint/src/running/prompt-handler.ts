import { askFor, type Model } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import type { Handler, Json } from '@alas-jssp/workflow';
import type { AgentFile } from '../factory/agent-file.js';

/** The handler of an agent with a prompt: a model answers in the form of its output schema. */
export function createPromptHandler(
  agent: AgentFile,
  { system, instruction }: { readonly system: string; readonly instruction: string },
  model: Model,
): Handler {
  return {
    async run(input: Json, { nodeId, attempt, feedback, signal }) {
      const wrong = feedback.map((one) => `An earlier answer was refused: ${JSON.stringify(one)}`);
      const asked = await askFor<Json>(model, {
        key: `agent/${nodeId}`,
        occurrence: attempt,
        system,
        prompt: [instruction, `The input: ${JSON.stringify(input)}`, ...wrong].join('\n'),
        schema: agent.output as Readonly<Record<string, Json>>,
        signal,
      });
      if (asked.ok) return asked.value;
      throw new AlasError('BadAnswer', `${agent.name}: ${asked.problem}`, nodeId);
    },
  };
}
