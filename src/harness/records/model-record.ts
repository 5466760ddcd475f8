import type { PipelineResult } from '../../pipeline/pipeline.js';
import { addSpending, NOTHING_SPENT, type Spending } from '../../pipeline/spending.js';
import { type RunRecord, type Spent, spentTime } from './record.js';

/** What a stage took: the time of the answers if it asked a model, which a resumed run knows, too. */
export function spentOn(spending: Spending | undefined, seconds: number | null): Spent {
  if (spending === undefined || spending.answers === 0) return spentTime(seconds);
  const { usage, costUsd } = spending;
  return { tokens: usage, cost_usd: costUsd, seconds: spending.seconds };
}

/** What all answers of a task took. */
export function totalOf(spent: PipelineResult['spent']): Pick<RunRecord, 'tokens' | 'cost_usd'> {
  const { plan = NOTHING_SPENT, repair = NOTHING_SPENT } = spent ?? {};
  const { usage, costUsd } = addSpending(plan, repair);
  return { tokens: usage, cost_usd: costUsd };
}

/** How the model was asked. */
export function describeModel({ told, spent, stages }: PipelineResult): RunRecord['llm'] {
  if (told === null || spent === null) return null;
  const { models, topology, format, promptVersion, promptHash, windows } = told;
  return {
    models: [...models],
    topology,
    format,
    prompt_version: promptVersion,
    prompt_sha256: promptHash,
    repair_prompt_sha256: stages.repair?.asked?.promptHash ?? null,
    answers: spent.plan.answers + spent.repair.answers,
    windows,
    agents: told.agents.map(({ agent, turns, promptTokens, contextLimit, droppedTokens }) => ({
      agent,
      turns,
      prompt_tokens: promptTokens,
      context_limit: contextLimit,
      dropped_tokens: droppedTokens,
    })),
  };
}
