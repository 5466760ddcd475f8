import type { Instance } from '../../jssp/instance.js';
import { type Plan, planFromSchedule } from '../../jssp/plan.js';
import type { Answer, Ask, LlmRequest } from '../../llm/client.js';
import { formatFor } from '../../llm/prompts/formats.js';
import { LOOSE_WRITING } from '../../llm/prompts/windows.js';
import { estimateInput } from '../../llm/request-key.js';
import { estimateTokens } from '../../llm/token-estimate.js';
import type { Variant } from '../../pipeline/blueprint/spec.js';
import type { ModelPlanner } from '../../pipeline/planners/llm-planner.js';
import { dispatch } from '../../search/index.js';

/** Requests and tokens, estimated. */
export interface Demand {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}

export const NO_DEMAND: Demand = { requests: 0, input: 0, output: 0 };

/** The sum of a demand and a multiple of another. */
export function addDemand(a: Demand, b: Demand, times = 1): Demand {
  return {
    requests: a.requests + times * b.requests,
    input: a.input + times * b.input,
    output: a.output + times * b.output,
  };
}

/** Settings of an estimate. */
export interface DemandSettings {
  readonly replicate: number;
  /**
   * Whether agents accept each other's work at once and no plan needs a repair; otherwise every loop runs to its limit.
   */
  readonly agrees: boolean;
  /** Rounds of repair by the model for every plan. */
  readonly rounds: number;
  readonly variants: readonly Variant[];
  /** Finds a stored answer, which costs nothing. */
  find(request: LlmRequest, replicate: number): Answer | null;
}

/** Remarks of an agent that objects, at their maximum length. */
const REMARKS = Array.from({ length: 10 }, (_, i) => `Job${i + 1} waits for Machine${i}.`).join(
  '\n',
);

/**
 * Estimates the requests and tokens of a planner for an instance. The planner makes all its requests, and a priority
 * rule answers them in the planner's format. Nothing is sent.
 *
 * @throws InputError `context_too_small` if the instance exceeds the context of the model
 */
export async function estimateDemand(
  planner: ModelPlanner,
  instance: Instance,
  settings: DemandSettings,
): Promise<Demand> {
  const { replicate, rounds, variants } = settings;
  const plan = planFromSchedule(dispatch(instance, { rule: 'mwkr' }));
  let demand = NO_DEMAND;
  const ask: Ask = async (request, context) => {
    const stored = settings.find(request, context.replicate);
    if (stored !== null) return stored;
    const text = answerTo(request, instance, plan, planner, settings.agrees);
    const tokens = {
      input: estimateInput(request),
      output: Math.ceil(LOOSE_WRITING * estimateTokens(text)),
      estimated: true,
    };
    demand = addDemand(demand, { requests: 1, input: tokens.input, output: tokens.output });
    const about = { model: request.model, requestId: null, seconds: 0, usd: null, stored: false };
    return { text, finish: 'stop', tokens, ...about };
  };
  await planner.propose(instance, { replicate, ask });
  const asked = demand;
  if (rounds > 0) {
    demand = NO_DEMAND;
    const report = { total: 1, counts: { machine_overlap: 1 }, groups: [] };
    await planner.repair(instance, { plan, report }, { replicate, ask });
    demand = addDemand(asked, demand, rounds);
  }
  if (variants.includes('self-validation')) await planner.judge(instance, plan, { replicate, ask });
  return demand;
}

/** A plausible answer in the required format, for the requested jobs. */
function answerTo(
  { messages, shape }: LlmRequest,
  instance: Instance,
  plan: Plan,
  { settings: { format } }: ModelPlanner,
  agrees: boolean,
): string {
  const prompt = messages[messages.length - 1].content;
  if (shape?.name === 'judgement') return '{"valid":true,"errors":[]}';
  if (/\bsay OK\b/.test(prompt)) return agrees ? 'OK' : REMARKS;
  const jobs = new Set(Array.from(prompt.matchAll(/^Job(\d+): /gm), ([, job]) => Number(job) - 1));
  const text = formatFor(instance, format).write(plan.entries.filter(({ job }) => jobs.has(job)));
  const next = agrees ? 'nobody' : 'supervisor';
  if (shape === undefined) return /\bnext\b/.test(prompt) ? `${text}\nnext: ${next}` : text;
  const members = format === 'csv' ? { csv: text } : JSON.parse(text);
  const isShared = Object.hasOwn(shape.schema.properties as object, 'next');
  return JSON.stringify(isShared ? { ...members, next } : members);
}
