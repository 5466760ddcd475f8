import { modelOf } from 'alas-jssp/harness';
import { type Ask, estimateTokens, type ModelSpec } from 'alas-jssp/llm';
import { type ControlTask, createControl, isControl, memoryOfControl } from './control.js';

/** The controls of a run. They answer in this process. */
export interface Controls {
  /** The function that answers for a planner; undefined if it is no control. */
  askFor(planner: string, task: ControlTask): Ask | undefined;
}

/**
 * Makes the controls among planners.
 *
 * @throws InputError `bad_planner`
 */
export function openControls(planners: readonly string[]): Controls {
  const controls = new Map(
    planners
      .filter(isControl)
      .map((planner) => [planner, createControl(memoryOfControl(planner))] as const),
  );
  return {
    askFor(planner, task) {
      const answer = controls.get(planner);
      if (answer === undefined) return undefined;
      return async ({ model, messages }) => {
        const text = answer(task, messages);
        const input = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
        const tokens = { input, output: estimateTokens(text), estimated: true };
        const about = { model, requestId: null, seconds: 0, usd: 0, stored: false };
        return { text, finish: 'stop', tokens, ...about };
      };
    },
  };
}

/** The model and settings of a planner; a control has the default ones. */
export function modelSpecOf(planner: string): ModelSpec {
  if (!isControl(planner)) return modelOf(planner);
  return modelOf(`openai-compatible:${planner.replaceAll(':', '-')}@http://127.0.0.1`);
}
