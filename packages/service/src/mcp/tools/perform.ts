import type { WorkSetting } from '../../compute/work.js';
import type { ToolAnswer, ToolRequest } from '../tool.js';
import { explainTool } from './explain.js';
import { optimizeTool } from './optimize.js';
import { proposeEvent } from './propose-event.js';
import { repairPlanTool } from './repair-plan.js';
import { showInstance } from './show-instance.js';
import { validatePlan } from './validate-plan.js';

/** The tools that compute, each with its own input. */
const TOOLS = [showInstance, validatePlan, repairPlanTool, optimizeTool, explainTool, proposeEvent];

/** Computes a tool call in a thread. Its input already matches the schema of the tool. */
export async function performTool(
  { tool: name, input }: ToolRequest,
  setting: WorkSetting,
): Promise<ToolAnswer<object>> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool.perform(input as never, setting);
}
