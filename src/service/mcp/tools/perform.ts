import type { WorkSetting } from '../../compute/work.js';
import type { ToolAnswer, ToolRequest } from '../tool.js';
import { explainTool } from './explain.js';
import { optimizeTool } from './optimize.js';
import { proposeEvent } from './propose-event.js';
import { repairPlanTool } from './repair-plan.js';
import { showInstance } from './show-instance.js';
import { validatePlan } from './validate-plan.js';

/** The tools that compute, each of which takes its own input. */
const TOOLS = [showInstance, validatePlan, repairPlanTool, optimizeTool, explainTool, proposeEvent];

/** Computes a tool of an agent, in a thread. Inputs are of the schema of the tool already. */
export async function performTool(
  { tool: name, input }: ToolRequest,
  setting: WorkSetting,
): Promise<ToolAnswer<object>> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool.perform(input as never, setting);
}
